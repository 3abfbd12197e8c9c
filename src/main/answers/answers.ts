import type { Readable } from 'node:stream'
import { isServiceError } from '../../plan/errors.ts'
import type { Caller } from '../auth/caller.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Fingerprint } from '../datasets/fingerprint/fingerprint.ts'
import type { CacheFigures } from '../gauges/cache-figures.ts'
import type { QueryService, ReceivedQuery, RunningQuery } from '../query/run/service.ts'
import { createKeptAnswers, type KeptAnswers } from './kept-answers.ts'
import { readAhead } from './read-ahead.ts'
import { createSharedRun, type SharedRun } from './shared-run.ts'
import { type WholeAnswer, wholeAnswer } from './whole-answer.ts'

/** The longest query whose answer is kept or shared. */
export const MOST_SHARED_CHARACTERS = 65_536

/** An answer that is sent while it is made. */
export interface StreamedAnswer extends Omit<RunningQuery, 'body'> {
  readonly stream: Readable
}

/** Runs queries. Equal queries at the same time share one run, and answers that can be given again are kept. */
export interface Answers extends Pick<KeptAnswers, 'find' | 'coded'> {
  /**
   * Runs the query, or waits for an equal one that runs already. The answer is whole if it is small and complete after
   * `holdMs`, in milliseconds. Otherwise it is streamed. Rejects as `QueryService.run` does.
   */
  run(
    key: string,
    query: ReceivedQuery,
    caller: Caller,
    client: AbortSignal,
    holdMs?: number,
  ): Promise<WholeAnswer | StreamedAnswer>
  /** The same without sharing: the run serves this client only, and its answer is not kept. */
  runAlone(
    query: ReceivedQuery,
    caller: Caller,
    client: AbortSignal,
    holdMs?: number,
  ): Promise<WholeAnswer | StreamedAnswer>
  figures(): AnswersFigures
}

interface AnswersFigures {
  readonly answers: CacheFigures
  /** Hits are queries that got the answer of a shared run; misses are runs that were begun to be shared. */
  readonly runs: Pick<CacheFigures, 'hits' | 'misses' | 'entries'>
}

/** The most bytes of an answer that is kept or given to several clients. */
const MAX_BYTES = 1 << 20

/** How long the first bytes of an answer are held back so that it can be sent whole. Milliseconds. */
const HOLD_MS = 20

/** The result of a promise if it is there in time. Null: it takes longer. */
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

function streamAnswer({ body: _, ...head }: RunningQuery, stream: Readable): StreamedAnswer {
  return { ...head, stream }
}

/** Whether another run of the same query may not fail with this error. */
function isOfRun(error: unknown): boolean {
  return !isServiceError(error) || error.kind.isOfRun === true
}

/**
 * Keys name a request and its caller, so that no caller gets the answer of another. A kept answer is given while every file
 * and folder that it depends on is the version that it was, and every name in the request means what it meant. `maxBytes`
 * bounds all kept answers together.
 */
export function createAnswers(
  queries: Pick<QueryService, 'run'>,
  catalog: Catalog,
  maxBytes: number,
  isUnchanged: (fingerprint: Fingerprint) => Promise<boolean>,
): Answers {
  const cachedAnswers = createKeptAnswers(catalog, maxBytes, isUnchanged)
  const inFlight = new Map<string, SharedRun>()
  /** A logical clock: numbers requests and runs in the order in which they began. */
  let clock = 0
  let runs = 0
  let shared = 0

  /** Begins a run that later requests with the same key may join. */
  async function lead(
    key: string,
    query: ReceivedQuery,
    caller: Caller,
    client: AbortSignal,
    holdMs: number,
  ): Promise<WholeAnswer | StreamedAnswer> {
    runs++
    const sharedRun = createSharedRun(++clock, client)
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

  /** Answers the leader of a shared run, and settles the run for those who wait. */
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
    if (running.fingerprint === null || running.isUnchanged) {
      end()
      sharedRun.settle(null)
      return streamAnswer(running, body.stream())
    }
    const ahead = readAhead(body, MAX_BYTES)
    const settled = ahead.whole.then(
      (chunks) => {
        const answer = chunks === null ? null : wholeAnswer(running, chunks)
        const asKept = answer && cachedAnswers.keep(key, answer)
        const isUnshared = asKept === null && sharedRun.hasOnlyLeader
        end()
        sharedRun.settle(asKept ?? answer)
        return asKept ?? (answer && { ...answer, isUnshared })
      },
      (error: unknown) => {
        end()
        sharedRun.fail(error)
        throw error
      },
    )
    // If the answer is streamed by then, the stream fails with the same error.
    settled.catch(() => {})
    const answer = await beforeTimeout(holdMs, settled)
    if (answer !== null) return answer
    const stream = ahead.stream()
    stream.once('close', () => sharedRun.leave(client))
    return streamAnswer(running, stream)
  }

  async function runAlone(
    query: ReceivedQuery,
    caller: Caller,
    client: AbortSignal,
    holdMs = HOLD_MS,
  ): Promise<WholeAnswer | StreamedAnswer> {
    const running = await queries.run(query, caller, client)
    const { body } = running
    if (running.fingerprint === null || running.isUnchanged) return streamAnswer(running, body.stream())
    const ahead = readAhead(body, MAX_BYTES)
    const chunks = await beforeTimeout(holdMs, ahead.whole)
    if (chunks !== null) return { ...wholeAnswer(running, chunks), isUnshared: true }
    const stream = ahead.stream()
    stream.once('close', body.close)
    return streamAnswer(running, stream)
  }

  return {
    find: cachedAnswers.find,
    coded: cachedAnswers.coded,
    runAlone,
    figures: () => ({
      answers: cachedAnswers.figures(),
      runs: { hits: shared, misses: runs, entries: inFlight.size },
    }),
    async run(key, query, caller, client, holdMs = HOLD_MS) {
      const arrivedAt = ++clock
      for (;;) {
        const sharedRun = inFlight.get(key)
        if (sharedRun === undefined) return lead(key, query, caller, client, holdMs)
        sharedRun.join(client)
        // A run that began after this request arrived has read nothing older. Of any other the files have to be checked.
        const isFresh = sharedRun.begunAt > arrivedAt
        const outcome = await sharedRun.outcome.catch((error: unknown) => {
          if (isFresh && !isOfRun(error)) throw error
          return undefined
        })
        client.throwIfAborted()
        if (outcome === undefined) continue
        if (outcome === null) return runAlone(query, caller, client, holdMs)
        if (!isFresh && !(await cachedAnswers.isCurrent(outcome))) continue
        shared++
        return outcome
      }
    },
  }
}
