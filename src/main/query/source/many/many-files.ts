import { MAX_FINGERPRINT } from '../../../../plan/limits.ts'
import { createLru } from '../../../../plan/lru.ts'
import { predicateKey } from '../../../../plan/predicate/predicate-key.ts'
import { MOST_KEPT } from '../../../datasets/fingerprint/kept-searches.ts'
import { hasMoreFiles, type Location } from '../../../datasets/partitions/find-located.ts'
import type { DatasetRoot } from '../../../datasets/root.ts'
import { createThread, ThreadEnded } from '../../../threads/thread.ts'
import type { ManyFilesData } from './many-thread.ts'
import { unpackFiles } from './packed-files.ts'
import type { AskedOfMany, ManyFilesFunctions, RemainingFiles } from './remaining-files.ts'

/** Looks for the files of tables that have very many, in a thread: main gets those alone that a filter leaves. */
export interface ManyFiles {
  /**
   * The files of a table that its filter leaves, if they are many and most of them can be left out. Null: main has to list them, which takes
   * less time. Rejects as `SearchLocation` does.
   */
  remaining(asked: AskedOfMany, signal: AbortSignal): Promise<RemainingFiles | null>
  /** Tells that main has found so many files in a location. */
  listed(location: Location, files: number): void
  close(): Promise<void>
}

export interface ManyFilesOptions extends Omit<ManyFilesData, 'root'> {
  readonly root: DatasetRoot
  /** The most files that main lists itself. Absent: as many as an answer that is kept may depend on. */
  readonly most?: number
  /** The most files of a search that main keeps. Of more the thread lists whatever the filter. Absent: those of `createKeptSearches`. */
  readonly keepable?: number
  readonly log: { warn(details: object, message: string): void }
}

const THREAD = new URL('./many-thread.ts', import.meta.url)

/** The thread is started again if it has died, so often. */
const MOST_STARTS = 3

/** The most locations of which it is remembered whether they have many files, and filters that have left most of them. */
const LOCATIONS = 4096
const FILTERS = 1024

export function createManyFiles({
  root,
  most = MAX_FINGERPRINT,
  keepable = MOST_KEPT,
  log,
  ...data
}: ManyFilesOptions): ManyFiles {
  /** How many files locations have, or `most + 1` for more. It is found out once, and again whenever one is listed. */
  const counts = createLru<number>(LOCATIONS)
  /** Filters by which few files were left out. */
  const useless = createLru<true>(FILTERS)
  const thread = createThread<ManyFilesFunctions>({
    task: 'looks for files',
    entry: THREAD,
    data: (): ManyFilesData => ({ ...data, root: root.location }),
    mostStarts: MOST_STARTS,
    onDeath: (error) => log.warn({ err: error }, 'the thread that looks for files died'),
  })

  async function countOf({ location }: AskedOfMany, key: string, signal: AbortSignal): Promise<number> {
    const before = counts.get(key)
    if (before !== undefined) return before
    const count = (await hasMoreFiles(root, location, most, signal, data.markers)) ? most + 1 : 0
    counts.put(key, count)
    return count
  }

  async function find(asked: AskedOfMany, signal: AbortSignal) {
    const ending = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
    const end = (): void => void Atomics.store(new Int32Array(ending), 0, 1)
    signal.addEventListener('abort', end, { once: true })
    try {
      return await thread.call('find', { ...asked, ending }, signal)
    } catch (error) {
      // That it has died is logged.
      if (error instanceof ThreadEnded) return null
      throw error
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  return {
    async remaining(asked, signal) {
      const { location, filter } = asked
      const key = JSON.stringify(location)
      const filterKey = filter && `${key} ${predicateKey(filter)}`
      if (filterKey === null ? (counts.get(key) ?? 0) <= keepable : useless.get(filterKey)) return null
      if ((await countOf(asked, key, signal)) <= most) return null
      const remaining = await find(asked, signal)
      if (remaining === null) return null
      const files = await unpackFiles(remaining.files, root.location)
      const { pruned, foldersLeftOut } = remaining
      const count = files.length + pruned
      if (foldersLeftOut === 0) counts.put(key, count)
      if (filterKey !== null && pruned < files.length && count <= keepable) useless.put(filterKey, true)
      return { files, pruned, foldersLeftOut }
    },
    listed(location, files) {
      if (files > most) counts.put(JSON.stringify(location), files)
    },
    close: thread.stop,
  }
}
