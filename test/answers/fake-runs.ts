import { Readable } from 'node:stream'
import { createFingerprint, type Fingerprint } from '../../src/main/datasets/fingerprint/fingerprint.ts'
import type { QueryService, RunningQuery } from '../../src/main/query/run/service.ts'
import { QUERY_ID, runningQuery } from '../http/test-server.ts'

/** A query that a test answers by hand. */
interface FakeRun {
  readonly signal: AbortSignal
  readonly body: Readable
  /** Gives the head of the answer. */
  begin(answer?: Partial<RunningQuery>): void
  fail(error: unknown): void
}

export interface FakeRuns extends Pick<QueryService, 'run'> {
  readonly all: readonly FakeRun[]
  /** Resolves with the run of that number, from 0. */
  at(index: number): Promise<FakeRun>
}

/** Runs that wait for what the test says. Their answers depend on no files, unless a fingerprint is given. */
export function fakeRuns(fingerprint: Fingerprint | null = createFingerprint()): FakeRuns {
  const all: FakeRun[] = []
  let wake = (): void => {}
  return {
    all,
    async at(index) {
      for (;;) {
        const run = all[index]
        if (run !== undefined) return run
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    run(_query, _caller, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<RunningQuery>()
      const body = new Readable({ read() {} })
      body.on('error', () => {})
      const id = QUERY_ID.replace(/^./, String(all.length % 10))
      const begin = (answer: Partial<RunningQuery> = {}): void =>
        resolve({ ...runningQuery(body), id, fingerprint, ...answer })
      signal.addEventListener('abort', () => reject(signal.reason))
      all.push({ signal, body, begin, fail: reject })
      wake()
      return promise
    },
  }
}

/** Queries that are answered at once. */
export function answers(bytes: Buffer, answer: Partial<RunningQuery> = {}): FakeRuns {
  const runs = fakeRuns()
  return {
    ...runs,
    run(query, caller, signal) {
      const running = runs.run(query, caller, signal)
      const run = runs.all.at(-1)
      // A body's chunks are the service's to give back.
      run?.body.push(Buffer.from(bytes))
      run?.body.push(null)
      run?.begin(answer)
      return running
    },
  }
}
