import type { Formats } from '../plan/format/create-formats.ts'
import type { Caller } from './auth/caller.ts'
import { findLongestQueries } from './history/list.ts'
import { queryAlone, receivedQuery } from './http/requests/received-query.ts'
import { whenIdle } from './jobs/when-idle.ts'
import type { QueryService } from './query/run/service.ts'
import type { SqliteDatabase } from './sqlite/open-database.ts'

export interface PlanningOptions {
  /** The database of the metrics. */
  readonly database: SqliteDatabase
  readonly formats: Formats
  /** Its tasks run in the background of queries. */
  readonly queries: Pick<QueryService, 'explain'>
  /** May read everything: rights are decided when somebody asks. */
  readonly caller: Caller
  /** Whether a query is open. */
  readonly isBusy: () => boolean
  readonly log: { info(details: object, message: string): void }
}

/** Queries of fewer files are planned in some milliseconds. */
const LEAST_FILES = 256

/** The most queries that are planned. Dashboards ask the same files by a few. */
const MOST_QUERIES = 16

/** For how long they are planned: a million files take half of it. Milliseconds. */
const LONGEST_MS = 60_000

/** How often it is looked at whether a query has come. Milliseconds. */
const LOOK_MS = 10

/**
 * Plans the longest of the last queries over many files once more, one at a time, each while no query is open: then the first ones after a
 * restart have the lists of these files and what is stored of them in memory, and V8 has compiled what plans them. When a query comes, it
 * stops, and begins with the same one again later. Queries that cannot be planned any more are passed over. Resolves when all are planned,
 * or once the signal is aborted. Never rejects.
 */
export async function planLongestQueries(options: PlanningOptions, signal: AbortSignal): Promise<void> {
  const { database, isBusy, log } = options
  const ending = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
  const since = performance.now()
  const waiting = [...(await readLongest(database, ending))]
  let planned = 0
  for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
    await untilIdle(isBusy, ending)
    if (ending.aborted) break
    const outcome = await planWhileIdle(text, options, ending)
    if (outcome === 'stopped') waiting.unshift(text)
    if (outcome === 'planned') planned++
  }
  if (planned > 0)
    log.info(
      { queries: planned, ms: Math.round(performance.now() - since) },
      'the longest of the last queries over many files are planned again',
    )
}

/** Plans a query, unless another one comes meanwhile, which then has main for itself. */
async function planWhileIdle(
  text: string,
  { formats, queries, caller, isBusy }: PlanningOptions,
  ending: AbortSignal,
): Promise<'planned' | 'stopped' | 'failed'> {
  const stopping = new AbortController()
  const look = setInterval(() => isBusy() && stopping.abort(), LOOK_MS).unref()
  try {
    const query = queryAlone(receivedQuery(text, true, formats))
    await queries.explain(query, caller, AbortSignal.any([ending, stopping.signal]))
    return 'planned'
  } catch {
    // Its files or its table are gone, or its text was too long to be stored whole.
    return stopping.signal.aborted ? 'stopped' : 'failed'
  } finally {
    clearInterval(look)
  }
}

async function readLongest(database: SqliteDatabase, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await findLongestQueries(database, LEAST_FILES, MOST_QUERIES, signal)
  } catch {
    // The service ends, or the database cannot be read: whoever asks for metrics is told so.
    return []
  }
}

function untilIdle(isBusy: () => boolean, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = whenIdle(isBusy, resolve)
  signal.addEventListener(
    'abort',
    () => {
      stop()
      resolve()
    },
    { once: true },
  )
  return promise
}
