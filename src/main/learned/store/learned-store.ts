import { existsSync } from 'node:fs'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import { getOrMake } from '../../../plan/get-or-make.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { entriesOf } from '../../../plan/source/whole.ts'
import { createSlice } from '../../../plan/steps.ts'
import { columnsToJson } from '../../catalog/store/stored-columns.ts'
import { createThread, ThreadEnded } from '../../threads/thread.ts'
import type { LearnedFile, LearnedFiles } from '../learned-files.ts'
import { createCrawledDigests } from './crawled-digests.ts'
import { blockOf, blockOfNames, type FileRow } from './file-block.ts'
import type { LearnedData, LearnedFunctions } from './learned-thread.ts'
import { type AskedFiles, NOTHING_FOUND, type PutFiles, type PutInFolder, placeOfFolder } from './messages.ts'
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
  /** Whether a query is open, whose CPU writing would take. Absent: none is. */
  readonly isBusy?: () => boolean
  /** How long nothing is learned and no query is open before files are written. Absent: `QUIET_MS`. */
  readonly quietMs?: number
  /** The longest time that files wait for that. Absent: `LONGEST_DELAY_MS`. */
  readonly longestDelayMs?: number
}

const THREAD = new URL('./learned-thread.ts', import.meta.url)

/** The most files of one message. Main reads an answer with so many in 2 ms. */
const FILES_PER_MESSAGE = 512

/** Milliseconds between two transactions, in which queries run. */
const PAUSE_MS = 10

/** Files are written once nothing was learned and no query was seen for so long, since writing takes CPU from queries. */
const QUIET_MS = 100

/** Milliseconds between two looks at whether a query is open. */
const LOOK_MS = 50

/** The longest time that files wait for that. Milliseconds. */
const LONGEST_DELAY_MS = 5000

/** If more files wait they are written at once, since each takes a kilobyte of memory until then. */
const MOST_DELAYED = 32_768

/** The most files that wait to be written. Those of which more is learned meanwhile are not stored. */
const MOST_WAITING = 100_000

/** The thread is started again if it has died, so often. */
const MOST_STARTS = 3

/** Keeps what is learned of files in a database, by a thread that starts when it is first needed. What fails there is logged. */
export function createLearnedStore(options: LearnedStoreOptions): LearnedFiles {
  const {
    log,
    entry = THREAD,
    isBusy = () => false,
    quietMs = QUIET_MS,
    longestDelayMs = LONGEST_DELAY_MS,
    ...data
  } = options
  const readFound = createReadFound()
  /** Files that are to be written. Queries put them, so what can wait until they are written is done then. */
  const waiting: Waiting[] = []
  /** When the first of them was put, and when anything was learned or a query was seen last. */
  let waitingSince = 0
  let busyAt = 0
  let mayHaveFiles = existsSync(data.path)
  /** Whether the registry has files, once that was asked for. */
  let hasRegistered: Promise<boolean> | null = null
  let timer: NodeJS.Timeout | null = null
  const thread = createThread<LearnedFunctions>({
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

  const crawled = createCrawledDigests({
    read: async () => (mayHaveFiles ? logError(thread.call('readCrawled', null), []) : []),
    write(digests) {
      mayHaveFiles = true
      return logError(thread.call('putCrawled', digests), undefined)
    },
  })

  function writeSome(): void {
    const packer = createPutPacker()
    for (const { place, files } of sortByFolder(waiting.splice(0, FILES_PER_MESSAGE)))
      packer.add(place, files)
    void logError(thread.call('put', packer.message()), undefined)
    mayHaveFiles = true
  }

  /** Whether the machine has nothing else to do, or files have waited for long. */
  function isTimeToWrite(): boolean {
    const now = performance.now()
    const isBusyNow = isBusy()
    if (isBusyNow) busyAt = now
    if (!isBusyNow && now - busyAt >= quietMs) return true
    return now - waitingSince >= longestDelayMs || waiting.length > MOST_DELAYED
  }

  function writeLater(delayMs: number): void {
    timer ??= setTimeout(() => {
      timer = null
      if (waiting.length === 0) return
      const isTime = isTimeToWrite()
      if (isTime) writeSome()
      if (waiting.length > 0) writeLater(isTime ? PAUSE_MS : LOOK_MS)
    }, delayMs).unref()
  }

  /** Asks for the files of one message. */
  async function findSome(
    format: FileFormat,
    files: readonly FileRef[],
  ): Promise<readonly (LearnedFile | null)[]> {
    const asked = askedFiles(format, files)
    const foundFiles = await logError(
      thread.call(
        'find',
        asked.map(({ place, files }) => ({ place, files })),
      ),
      NOTHING_FOUND,
    )
    return asked.flatMap(({ count }, nth) => {
      const inFolder = foundFiles.folders[nth]
      return inFolder === undefined
        ? new Array<null>(count).fill(null)
        : readFound(foundFiles.texts, inFolder, count)
    })
  }

  return {
    async *find(format, files) {
      if (!mayHaveFiles) return
      const ask = (from: number) => findSome(format, files.slice(from, from + FILES_PER_MESSAGE))
      let asked = ask(0)
      for (let next = FILES_PER_MESSAGE; next < files.length; next += FILES_PER_MESSAGE) {
        const some = await asked
        // The thread looks for these while main reads what it has of the others.
        asked = ask(next)
        yield some
      }
      yield await asked
    },
    put(format, { location, version }, learned) {
      const count = waiting.length
      if (count === MOST_WAITING) return
      waiting.push({ format, location, version, learned })
      busyAt = performance.now()
      if (count === 0) waitingSince = busyAt
      writeLater(PAUSE_MS)
    },
    async flush() {
      const slice = createSlice()
      while (waiting.length > 0) {
        writeSome()
        if (slice.isOver()) await slice.next()
      }
    },
    registry: {
      hasFiles() {
        hasRegistered ??= mayHaveFiles
          ? logError(thread.call('hasFiles', null), false)
          : Promise.resolve(false)
        return hasRegistered
      },
      beginRun(prefix, isForced) {
        mayHaveFiles = true
        hasRegistered = Promise.resolve(true)
        return thread.call('beginRun', { prefix, isForced })
      },
      register: (files) => thread.call('registerFiles', files),
      takePending: (after, most) => thread.call('takePending', { after, most }),
      settle: (outcomes) => thread.call('settleFiles', outcomes),
      endRun: (hasMetAll) => thread.call('endRun', { hasMetAll }),
      list: async (after, most) => (mayHaveFiles ? thread.call('listFiles', { after, most }) : []),
      segments: async () => (mayHaveFiles ? thread.call('listSegments', null) : []),
      find: async (paths) => (mayHaveFiles ? thread.call('findFiles', paths) : paths.map(() => null)),
    },
    crawled,
    warmUp() {
      if (mayHaveFiles) void logError(thread.open(), undefined)
    },
    async close() {
      void crawled.flush()
      if (timer !== null) clearTimeout(timer)
      while (waiting.length > 0) writeSome()
      await thread.stop()
    },
  }
}

/** A file as it was put. */
interface Waiting extends Pick<FileRef, 'location' | 'version'> {
  readonly format: FileFormat
  readonly learned: LearnedFile
}

interface PuttingInFolder {
  readonly place: string
  /** By ascending names. */
  readonly files: readonly Putting[]
}

/** What was put last of each file. */
function sortByFolder(waiting: readonly Waiting[]): readonly PuttingInFolder[] {
  const folders = new Map<string, Map<string, Putting>>()
  for (const { format, location, version, learned } of waiting) {
    const { place, name } = placeOf(format, location)
    getOrMake(folders, place, () => new Map<string, Putting>()).set(name, { name, version, learned })
  }
  return [...folders].map(([place, byName]) => ({
    place,
    files: [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  }))
}

/** The folder of a file, as the database names it, and its name there. */
function placeOf(format: FileFormat, location: string): { readonly place: string; readonly name: string } {
  const end = location.lastIndexOf('/')
  return { place: placeOfFolder(format, location.slice(0, end)), name: location.slice(end + 1) }
}

/** What to ask for some files: those that follow each other in one folder together. */
function askedFiles(
  format: FileFormat,
  files: readonly FileRef[],
): readonly (AskedFiles & { readonly count: number })[] {
  const asked: (AskedFiles & { readonly count: number })[] = []
  let from = 0
  let folder: string | null = null
  for (let to = 1; to <= files.length; to++) {
    const { location = '' } = files[from] ?? {}
    folder ??= location.slice(0, location.lastIndexOf('/') + 1)
    const next = files[to]
    if (next?.location.lastIndexOf('/') === folder.length - 1 && next.location.startsWith(folder)) continue
    const { bytes } = blockOfNames(files.slice(from, to), folder.length)
    asked.push({ place: placeOfFolder(format, folder.slice(0, -1)), files: bytes, count: to - from })
    ;[from, folder] = [to, null]
  }
  return asked
}

/** A file that is to be stored. */
interface Putting extends Pick<FileRow, 'name' | 'version'> {
  readonly learned: LearnedFile
}

/** A message with files, and with each of their schemas and layouts once. */
interface PutPacker {
  /** Adds files of a folder, by ascending names. */
  add(place: string, files: readonly Putting[]): void
  message(): PutFiles
}

function createPutPacker(): PutPacker {
  const texts = new Map<string, number>()
  const ofSchemas = new Map<LearnedFile['schema'], number>()
  const folders: PutInFolder[] = []
  const indexOf = (text: string): number => {
    const textIndex = texts.get(text)
    if (textIndex !== undefined) return textIndex
    texts.set(text, texts.size)
    return texts.size - 1
  }
  const rowOf = ({ name, version, learned }: Putting): FileRow => {
    const { schema: ofFile, whole } = learned
    const schema = getOrMake(ofSchemas, ofFile, () => indexOf(columnsToJson(ofFile)))
    const { text, sizes } = layoutOf(learned)
    return { name, version, schema, layout: indexOf(text), sizes, whole: entriesOf(whole) }
  }
  return {
    add(place, files) {
      folders.push({ place, files: blockOf(files.map(rowOf)).bytes })
    },
    message: () => ({ texts: [...texts.keys()], folders }),
  }
}
