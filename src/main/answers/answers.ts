import type { Readable } from 'node:stream'
import { type ErrorCode, isServiceError } from '../../plan/errors.ts'
import type { Caller } from '../auth/caller.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Fingerprint } from '../datasets/fingerprint/fingerprint.ts'
import type { CacheFigures } from '../metrics/cache-figures.ts'
import type { QueryService, ReceivedQuery, RunningQuery } from '../query/run/service.ts'
import { createKeptAnswers, type KeptAnswers } from './kept-answers.ts'
import { readAhead } from './read-ahead.ts'
import { createSharedRun, type SharedRun } from './shared-run.ts'
import { type WholeAnswer, wholeAnswer } from './whole-answer.ts'

/** An answer that is sent as it comes. */
export interface StreamedAnswer extends Omit<RunningQuery, 'body'> {
  readonly stream: Readable
}

/** Runs queries, equal ones together, and keeps what can be given again. */
export interface Answers extends Pick<KeptAnswers, 'find' | 'coded'> {
  /**
   * Runs the query, or waits for an equal one that runs already. Whole if it is small, unless that takes longer than the
   * first bytes may wait, milliseconds; else as it comes. Rejects as `QueryService.run` does.
   */
  run(
    key: string,
    query: ReceivedQuery,
    caller: Caller,
    client: AbortSignal,
    holdMs?: number,
  ): Promise<WholeAnswer | StreamedAnswer>
  /** The same of a run of its own, of which nothing is kept. */
  runAlone(
    query: ReceivedQuery,
    caller: Caller,
    client: AbortSignal,
    holdMs?: number,
  ): Promise<WholeAnswer | StreamedAnswer>
  figures(): AnswersFigures
}

export interface AnswersFigures {
  readonly answers: CacheFigures
  /** Hits are queries that were given the answer of one that ran already. */
  readonly runs: Pick<CacheFigures, 'hits' | 'misses' | 'entries'>
}

/** What an answer may have that is kept, or given to several clients. */
const MOST_BYTES = 1 << 20

/** How long the first bytes of an answer wait for its last ones, milliseconds. */
const HOLD_MS = 20

/** Errors of one run, and not of the query. */
const OF_THE_RUN: ReadonlySet<ErrorCode> = new Set([
  'cancelled',
  'cursor_idle',
  'internal',
  'no_space',
  'output_failed',
  'overloaded',
  'path_unavailable',
  'statement_lost',
  'worker_lost',
])

/** Null: it takes longer. */
async function beforeTimeout<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  if (ms === Number.POSITIVE_INFINITY) return promise
  const { promise: elapsed, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, ms, null).unref()
  try {
    return await Promise.race([promise, elapsed])
  } finally {
    clearTimeout(timer)
  }
}

function streamed({ body: _, ...head }: RunningQuery, stream: Readable): StreamedAnswer {
  return { ...head, stream }
}

function isOfTheRun(error: unknown): boolean {
  return !isServiceError(error) || OF_THE_RUN.has(error.code)
}

/**
 * `key` names a request and its caller: what one caller gets, no other one does. An answer is kept while every file and
 * folder that it hangs on is the version that it was, and every name that it was asked with means what it meant.
 */
export function createAnswers(
  queries: Pick<QueryService, 'run'>,
  catalog: Catalog,
  mostBytes: number,
  isUnchanged: (fingerprint: Fingerprint) => Promise<boolean>,
): Answers {
  const kept = createKeptAnswers(catalog, mostBytes, isUnchanged)
  const inFlight = new Map<string, SharedRun>()
  let arrivals = 0
  let led = 0
  let shared = 0

  async function lead(
    key: string,
    query: ReceivedQuery,
    caller: Caller,
    client: AbortSignal,
    holdMs: number,
  ): Promise<WholeAnswer | StreamedAnswer> {
    led++
    const sharedRun = createSharedRun(++arrivals, client)
    const end = (): void => {
      if (inFlight.get(key) === sharedRun) inFlight.delete(key)
    }
    inFlight.set(key, sharedRun)
    sharedRun.signal.addEventListener('abort', end, { once: true })
    try {
      const running = await queries.run(query, caller, sharedRun.signal)
      return await settle(sharedRun, key, running, client, holdMs, end)
    } catch (error) {
      end()
      sharedRun.fail(error)
      throw error
    }
  }

  async function settle(
    sharedRun: SharedRun,
    key: string,
    running: RunningQuery,
    client: AbortSignal,
    holdMs: number,
    end: () => void,
  ): Promise<WholeAnswer | StreamedAnswer> {
    const { signal } = sharedRun
    const { body } = running
    const stop = (): void => body.close()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    if (running.fingerprint === null) {
      end()
      sharedRun.settle(null)
      return streamed(running, body.stream())
    }
    const ahead = readAhead(body, MOST_BYTES)
    const settled = ahead.whole.then(
      (chunks) => {
        const answer = chunks === null ? null : wholeAnswer(running, chunks)
        const asKept = answer && kept.keep(key, answer)
        const isGiven = asKept === null && sharedRun.hasOnlyLeader
        end()
        sharedRun.settle(asKept ?? answer)
        return asKept ?? (answer && { ...answer, isGiven })
      },
      (error: unknown) => {
        end()
        sharedRun.fail(error)
        throw error
      },
    )
    // The stream breaks, too.
    settled.catch(() => {})
    const answer = await beforeTimeout(holdMs, settled)
    if (answer !== null) return answer
    const stream = ahead.stream()
    stream.once('close', () => sharedRun.leave(client))
    return streamed(running, stream)
  }

  async function runAlone(
    query: ReceivedQuery,
    caller: Caller,
    client: AbortSignal,
    holdMs = HOLD_MS,
  ): Promise<WholeAnswer | StreamedAnswer> {
    const running = await queries.run(query, caller, client)
    const { body } = running
    if (running.fingerprint === null) return streamed(running, body.stream())
    const ahead = readAhead(body, MOST_BYTES)
    const chunks = await beforeTimeout(holdMs, ahead.whole)
    if (chunks !== null) return { ...wholeAnswer(running, chunks), isGiven: true }
    const stream = ahead.stream()
    stream.once('close', body.close)
    return streamed(running, stream)
  }

  return {
    find: kept.find,
    coded: kept.coded,
    runAlone,
    figures: () => ({
      answers: kept.figures(),
      runs: { hits: shared, misses: led, entries: inFlight.size },
    }),
    async run(key, query, caller, client, holdMs = HOLD_MS) {
      const arrivedAt = ++arrivals
      for (;;) {
        const sharedRun = inFlight.get(key)
        if (sharedRun === undefined) return lead(key, query, caller, client, holdMs)
        sharedRun.join(client)
        const isYounger = sharedRun.begunAt > arrivedAt
        const outcome = await sharedRun.outcome.catch((error: unknown) => {
          if (isYounger && !isOfTheRun(error)) throw error
          return undefined
        })
        client.throwIfAborted()
        if (outcome === undefined) continue
        if (outcome === null) return runAlone(query, caller, client, holdMs)
        if (!isYounger && !(await kept.isRight(outcome))) continue
        shared++
        return outcome
      }
    },
  }
}
