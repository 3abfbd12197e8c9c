/**
 * The thread that has the database of what is learned of files. It is a thread of its own because a transaction may wait for the disk,
 * and because a search for many files takes longer than main may.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { closedOnError, type SqliteDatabase } from '../../sqlite/open-database.ts'
import { codeOf } from '../../sqlite/reason.ts'
import { serve } from '../../threads/serve.ts'
import { type CrawledTable, createCrawledTable } from './crawled-table.ts'
import { LEARNED_LIMITS, type LearnedLimits } from './learned-limits.ts'
import { createLearnedTable, type LearnedTable } from './learned-table.ts'
import { deleteLearnedDatabase, openLearnedDatabase } from './open-learned.ts'
import { createRegistryTable, type RegistryTable } from './registry-table.ts'

/** What the thread is started with. */
export interface LearnedData {
  readonly path: string
  readonly serviceVersion: string
  /** Absent: those of `LEARNED_LIMITS`. */
  readonly limits?: LearnedLimits
}

/** What the thread does. */
export type LearnedFunctions = LearnedTable & RegistryTable & CrawledTable

const { path, serviceVersion, limits = LEARNED_LIMITS } = workerData as LearnedData

/** What the thread has open. */
interface Opened {
  readonly database: SqliteDatabase
  readonly table: LearnedFunctions
}

/** Errors of the disk and its permissions. After any other the database is taken for damaged. */
const OF_DISK = /^SQLITE_(?:FULL|IOERR|BUSY|READONLY|CANTOPEN|PERM)/

function open(): Opened {
  const database = openLearnedDatabase(path, serviceVersion)
  return closedOnError(database, () => ({
    database,
    table: {
      ...createLearnedTable(database, limits),
      ...createRegistryTable(database, limits.files),
      ...createCrawledTable(database),
    },
  }))
}

function openOrBegin(): Opened {
  try {
    return open()
  } catch {
    return beginAnew(null)
  }
}

function beginAnew(damaged: SqliteDatabase | null): Opened {
  damaged?.close()
  deleteLearnedDatabase(path)
  return open()
}

if (parentPort !== null)
  serve<LearnedFunctions>(parentPort, () => {
    let opened = openOrBegin()
    /** Uses the table. If that fails, what is damaged is made anew. */
    const using = <T>(work: (table: LearnedFunctions) => T): T => {
      try {
        return work(opened.table)
      } catch (error) {
        if (!OF_DISK.test(codeOf(error))) opened = beginAnew(opened.database)
        throw error
      }
    }
    return {
      find: (keys) => using(({ find }) => find(keys)),
      put: (files) => using(({ put }) => put(files)),
      hasFiles: (argument) => using(({ hasFiles }) => hasFiles(argument)),
      beginRun: (run) => using(({ beginRun }) => beginRun(run)),
      registerFiles: (files) => using(({ registerFiles }) => registerFiles(files)),
      takePending: (asked) => using(({ takePending }) => takePending(asked)),
      settleFiles: (outcomes) => using(({ settleFiles }) => settleFiles(outcomes)),
      endRun: (run) => using(({ endRun }) => endRun(run)),
      listFiles: (asked) => using(({ listFiles }) => listFiles(asked)),
      listSegments: (argument) => using(({ listSegments }) => listSegments(argument)),
      findFiles: (paths) => using(({ findFiles }) => findFiles(paths)),
      readCrawled: (argument) => using(({ readCrawled }) => readCrawled(argument)),
      putCrawled: (digests) => using(({ putCrawled }) => putCrawled(digests)),
      close: () => opened.database.close(),
    }
  })
