import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { versionKey } from '../../../plan/source/version.ts'
import { createSlice } from '../../../plan/steps.ts'
import type { LearnedFile, LearnedFiles } from '../learned-files.ts'
import type { LearnedData } from './learned-thread.ts'
import {
  type FoundFiles,
  type FromLearned,
  NOTHING_FOUND,
  type StoredKey,
  type ToLearned,
} from './messages.ts'
import { createPutPacker, type Putting } from './pack-puts.ts'
import { createReadFound } from './read-found.ts'

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
  /** Each `find` that has no answer yet. */
  const asked: ((found: FoundFiles) => void)[] = []
  const waiting = new Map<string, Putting>()
  let mayHaveFiles = existsSync(data.path)
  let thread: Worker | null = null
  let starts = 0
  let timer: NodeJS.Timeout | null = null

  function running(): Worker | null {
    if (thread !== null || starts === MOST_STARTS) return thread
    starts++
    const started = new Worker(entry, { workerData: data })
    started.unref()
    started.on('message', (message: FromLearned) => {
      if (message.kind === 'found') asked.shift()?.(message)
      else log.warn({ reason: message.message }, 'what is learned of files could not be stored or found')
    })
    started.on('error', (error) =>
      log.warn({ err: error }, 'the thread that stores what is learned of files died'),
    )
    started.once('exit', () => {
      thread = null
      for (const answer of asked.splice(0)) answer(NOTHING_FOUND)
    })
    thread = started
    return started
  }

  function ask(keys: readonly StoredKey[]): Promise<FoundFiles> {
    const { promise, resolve } = Promise.withResolvers<FoundFiles>()
    const started = running()
    if (started === null) return Promise.resolve(NOTHING_FOUND)
    asked.push(resolve)
    started.postMessage({ kind: 'find', keys } satisfies ToLearned)
    return promise
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
    running()?.postMessage(packer.message() satisfies ToLearned)
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
      const answers: { readonly count: number; readonly found: Promise<FoundFiles> }[] = []
      const slice = createSlice()
      for (let from = 0; from < files.length; from += FILES_PER_MESSAGE) {
        await slice.next()
        const some = files.slice(from, from + FILES_PER_MESSAGE)
        answers.push({ count: some.length, found: ask(some.map((file) => keyOf(format, file))) })
      }
      const learned: (LearnedFile | null)[] = []
      for (const { count, found } of answers) learned.push(...readFound(await found, count))
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
      const last = thread
      if (last === null) return
      const exited = new Promise((resolve) => last.once('exit', resolve))
      last.ref()
      last.postMessage({ kind: 'close' } satisfies ToLearned)
      await exited
    },
  }
}

function keyOf(format: FileFormat, { location, version }: FileRef): StoredKey {
  return { place: `${format.key} ${location}`, version: versionKey(version) }
}
