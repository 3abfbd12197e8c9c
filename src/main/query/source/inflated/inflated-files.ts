import { type FileRef, isFileSettled } from '../../../../plan/source/file.ts'
import type { Compression, PlainBytes, TempBytes } from '../../../../plan/source/plain-bytes.ts'
import { versionKey } from '../../../../plan/source/version.ts'
import type { SharedTicket, Ticket } from '../../../dispatch/ticket.ts'
import type { CacheFigures } from '../../../gauges/cache-figures.ts'
import type { TempFile } from '../../../output/temp/temp-file.ts'
import type { TempFolder } from '../../../output/temp/temp-folder.ts'
import type { OnAnswer } from '../on-answer.ts'
import { type Inflating, inflateFile } from './inflate-file.ts'

/**
 * The bytes that compressed files inflate to, in temporary files. A version of a file is inflated once for all queries that wait for it, and
 * kept until others need the space.
 */
export interface InflatedFiles {
  /**
   * Inflates a file, unless it is there. It stays there until the query ends. Rejects with `unreadable_file` if it is damaged, `memory_limit` if it
   * is larger than all temporary files together may be, and as `Ticket.waitFor`.
   */
  inflate(file: FileRef, compression: Compression, ticket: Ticket, onAnswer: OnAnswer): Promise<PlainBytes>
  figures(): CacheFigures
  /** Closes all files. */
  close(): Promise<void>
}

/** A file that is inflated, or is being inflated. */
interface Entry {
  readonly plain: Promise<PlainBytes>
  readonly ticket: SharedTicket
  /** Whether it may be kept for later queries. */
  readonly isKept: boolean
  /** Queries that wait for it, or read it. */
  users: number
  /** Null: it is being inflated. */
  temp: TempFile | null
}

export function createInflatedFiles(folder: TempFolder): InflatedFiles {
  /** By the version, the file that was used last at the end. */
  const entries = new Map<string, Entry>()
  /** Those of each query. */
  const held = new WeakMap<Ticket, Set<Entry>>()
  /** Numbers of queries that share nothing with others. */
  const numbers = new WeakMap<Ticket, number>()
  let queries = 0
  let hits = 0
  let misses = 0
  let evictions = 0

  function numberOf(ticket: Ticket): number {
    const number = numbers.get(ticket) ?? ++queries
    numbers.set(ticket, number)
    return number
  }

  folder.onShortage(async () => {
    for (const [key, entry] of entries) {
      if (entry.users > 0 || entry.temp === null) continue
      evictions++
      await remove(key, entry)
      return true
    }
    return false
  })

  function forget(key: string, entry: Entry): void {
    if (entries.get(key) === entry) entries.delete(key)
  }

  async function remove(key: string, entry: Entry): Promise<void> {
    forget(key, entry)
    await entry.temp?.discard()
  }

  /** Begins to inflate a file for a query, and for others that ask for it meanwhile. */
  function begin(
    key: string,
    asked: Pick<Inflating, 'file' | 'compression' | 'onAnswer'>,
    isKept: boolean,
    ticket: Ticket,
  ): Entry {
    const shared = ticket.forOthersToo()
    const otherBytes = (): number =>
      [...(held.get(ticket) ?? [])].reduce((sum, { temp }) => sum + (temp?.size ?? 0), 0)
    const inflated = inflateFile({ ...asked, folder, ticket: shared, otherBytes })
    const entry: Entry = {
      ticket: shared,
      isKept,
      users: 0,
      temp: null,
      plain: inflated.then(async ({ temp, version }) => {
        entry.temp = temp
        const bytes: TempBytes = { descriptor: temp.descriptor, version }
        // Nobody waits for it any more.
        if (entry.users === 0) await remove(key, entry)
        return Object.freeze({ compression: asked.compression, size: temp.size, temp: Object.freeze(bytes) })
      }),
    }
    entry.plain.catch(() => void remove(key, entry))
    entries.set(key, entry)
    return entry
  }

  function leave(key: string, entry: Entry): void {
    entry.users--
    if (entry.users > 0) return
    if (entry.temp === null) {
      forget(key, entry)
      entry.ticket.stop()
    } else if (!entry.isKept) void remove(key, entry)
  }

  return {
    async inflate(file, compression, ticket, onAnswer) {
      // A file that was just written may have other bytes in a moment, and the same version.
      const isKept = ticket.caching && isFileSettled(file)
      const version = versionKey(file.version)
      const key = isKept ? version : `${version} ${numberOf(ticket)}`
      const earlier = entries.get(key)
      if (earlier === undefined) misses++
      else hits++
      const entry = earlier ?? begin(key, { file, compression, onAnswer }, isKept, ticket)
      entries.delete(key)
      entries.set(key, entry)
      entry.users++
      const ofQuery = held.get(ticket) ?? new Set()
      held.set(ticket, ofQuery.add(entry))
      ticket.whenReleased(() => leave(key, entry))
      return ticket.waitFor(entry.plain)
    },
    figures() {
      const files = [...entries.values()].flatMap(({ temp }) => temp ?? [])
      const bytes = files.reduce((sum, { size }) => sum + size, 0)
      return { hits, misses, evictions, entries: files.length, bytes }
    },
    async close() {
      await Promise.all([...entries].map(([key, entry]) => remove(key, entry)))
    },
  }
}
