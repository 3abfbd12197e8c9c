import { existsSync } from 'node:fs'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { versionKey } from '../../../plan/source/version.ts'
import { createSlice } from '../../../plan/steps.ts'
import { columnsToJson } from '../../catalog/store/stored-columns.ts'
import { createThread, ThreadEnded } from '../../threads/thread.ts'
import type { LearnedFile, LearnedFiles } from '../learned-files.ts'
import type { LearnedTable } from './learned-table.ts'
import type { LearnedData } from './learned-thread.ts'
import { type FoundFiles, NOTHING_FOUND, type PutFile, type PutFiles, type StoredKey } from './messages.ts'
import { createReadFound } from './read-found.ts'
import { layoutOf } from './stored-layout.ts'

/** The part of pino's logger that is used here. */
interface LearnedLog {
  warn(details: object, message: string): void
}

export interface LearnedStoreOptions extends LearnedData {
  readonly log: LearnedLog
  /** The module of the thread. Tests replace it. */
  readonly entry?: URL
}

const THREAD = new URL('./learned-thread.ts', import.meta.url)

/** The most files of one message. Main reads an answer with so many in 2 ms. */
const FILES_PER_MESSAGE = 512

/** How long main packs the files of one transaction. To send them takes a millisecond more. */
const PACKING_MS = 3

/** Milliseconds between two transactions, in which queries run. */
const PAUSE_MS = 10

/** The most files that wait to be written. Those of which more is learned meanwhile are not stored. */
const MOST_WAITING = 100_000

/** The thread is started again if it has died, so often. */
const MOST_STARTS = 3

/** Keeps what is learned of files in a database, by a thread that starts when it is first needed. What fails there is logged. */
export function createLearnedStore(options: LearnedStoreOptions): LearnedFiles {
  const { log, entry = THREAD, ...data } = options
  const readFound = createReadFound()
  const waiting = new Map<string, Putting>()
  let mayHaveFiles = existsSync(data.path)
  let timer: NodeJS.Timeout | null = null
  const thread = createThread<LearnedTable>({
    task: 'stores what is learned of files',
    entry,
    data: (): LearnedData => data,
    mostStarts: MOST_STARTS,
    onDeath: (error) => log.warn({ err: error }, 'the thread that stores what is learned of files died'),
  })

  /** Logs an error of the table. That the thread has died is logged once. */
  function logError<T>(call: Promise<T>, otherwise: T): Promise<T> {
    return call.catch((error: Error) => {
      if (!(error instanceof ThreadEnded))
        log.warn({ reason: error.message }, 'what is learned of files could not be stored or found')
      return otherwise
    })
  }

  function writeSome(): void {
    const packer = createPutPacker()
    const until = performance.now() + PACKING_MS
    let files = 0
    for (const [place, putting] of waiting) {
      packer.add(putting)
      waiting.delete(place)
      if (++files === FILES_PER_MESSAGE || performance.now() >= until) break
    }
    void logError(thread.call('put', packer.message()), undefined)
    mayHaveFiles = true
  }

  function writeLater(): void {
    timer ??= setTimeout(() => {
      timer = null
      writeSome()
      if (waiting.size > 0) writeLater()
    }, PAUSE_MS).unref()
  }

  return {
    async find(format, files) {
      if (!mayHaveFiles) return files.map(() => null)
      const answers: { readonly count: number; readonly foundFiles: Promise<FoundFiles> }[] = []
      const slice = createSlice()
      for (let from = 0; from < files.length; from += FILES_PER_MESSAGE) {
        await slice.next()
        const some = files.slice(from, from + FILES_PER_MESSAGE)
        const keys = some.map((file) => keyOf(format, file))
        answers.push({ count: some.length, foundFiles: logError(thread.call('find', keys), NOTHING_FOUND) })
      }
      const learned: (LearnedFile | null)[] = []
      for (const { count, foundFiles } of answers) learned.push(...readFound(await foundFiles, count))
      return learned
    },
    put(format, file, learned) {
      const key = keyOf(format, file)
      if (waiting.size === MOST_WAITING && !waiting.has(key.place)) return
      waiting.set(key.place, { ...key, learned })
      writeLater()
    },
    async close() {
      if (timer !== null) clearTimeout(timer)
      while (waiting.size > 0) writeSome()
      await thread.stop()
    },
  }
}

function keyOf(format: FileFormat, { location, version }: FileRef): StoredKey {
  return { place: `${format.key} ${location}`, version: versionKey(version) }
}

/** A file that is to be stored. */
interface Putting extends StoredKey {
  readonly learned: LearnedFile
}

/** A message with files, and with each of their schemas and layouts once. */
interface PutPacker {
  add(putting: Putting): void
  message(): PutFiles
}

function createPutPacker(): PutPacker {
  const texts = new Map<string, number>()
  const ofSchemas = new Map<LearnedFile['schema'], number>()
  const files: PutFile[] = []
  const indexOf = (text: string): number => {
    const textIndex = texts.get(text)
    if (textIndex !== undefined) return textIndex
    texts.set(text, texts.size)
    return texts.size - 1
  }
  return {
    add({ place, version, learned }) {
      const { schema, whole } = learned
      const ofSchema = ofSchemas.get(schema) ?? indexOf(columnsToJson(schema))
      ofSchemas.set(schema, ofSchema)
      const { text, sizes } = layoutOf(learned)
      files.push({ place, version, schema: ofSchema, layout: indexOf(text), sizes, whole })
    },
    message: () => ({ texts: [...texts.keys()], files }),
  }
}
