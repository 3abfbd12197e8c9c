import type { Python } from '../input/python.ts'
import { median, timed } from '../report/statistics.ts'
import { RefusedError } from '../service/client.ts'
import { dropFromPageCache, renew } from '../service/page-cache.ts'
import type { Service, Services } from '../service/service.ts'
import { warmUp } from '../service/warm-up.ts'
import { type Answer, difference, rowCount } from './answer.ts'
import { answerOfStream } from './arrow.ts'
import type { Case, Form } from './cases.ts'
import { type Native, native } from './native.ts'

/**
 * The engines, each with 1 and 2 workers or threads: the service over HTTP, without a cache of decoded columns and with one
 * (`kept`), native DuckDB in this process, and DuckDB for Python in a child process.
 */
export type Engine =
  | 'service1'
  | 'native1'
  | 'service2'
  | 'native2'
  | 'kept1'
  | 'kept2'
  | 'python1'
  | 'python2'

/** For each engine a function that runs the case once and gives its time in milliseconds. */
type Runs = Partial<Record<Engine, () => Promise<number>>>

/** The median time of each engine, in milliseconds. */
export type Timings = Partial<Record<Engine, number>>

export interface Comparison {
  readonly layout: string
  readonly query: string
  readonly form: Form
  readonly rows: number
  readonly warm: Timings
  /**
   * Times of runs before each of which the files were dropped from the page cache and made new to the engines. Null: that is
   * not possible here, or was not requested.
   */
  readonly cold: Timings | null
  /** Why the service has no times: it refused the query, or its answer is wrong. */
  readonly failure?: string
}

/** The engines that the services are compared with. */
interface Peers {
  readonly one: Native
  readonly two: Native
  readonly python: Python | null
}

/** A run of more milliseconds needs no warm-up but the comparison of the answers. */
const LONG_MS = 1000

/**
 * The time of a run of fewer milliseconds depends on what other engines have left in the processor's caches. So each such run
 * follows `SHORT_LEADS` runs of the same engine that are not timed, and there are `SHORT_ROUNDS` times as many rounds.
 */
const SHORT_MS = 20
const SHORT_LEADS = 3
const SHORT_ROUNDS = 3

/** How often a case is timed. */
export interface Rounds {
  /** Timed runs of each query by each engine, after one that is not timed. */
  readonly rounds: number
  /** The same with the files dropped from the page cache. 0: none. */
  readonly coldRounds: number
}

/** Checks for every case that the answers of all engines agree, and then measures it by every engine, interleaved. */
export async function compare(
  services: Services,
  python: Python | null,
  cases: readonly Case[],
  { rounds, coldRounds }: Rounds,
): Promise<Comparison[]> {
  const peers = { one: await native(1), two: await native(2), python }
  const comparisons: Comparison[] = []
  for (const service of Object.values(services)) await warmUp(service, cases)
  for (const each of cases) {
    const { layout, query, form, sql, body, files } = each
    process.stderr.write(`\r\x1b[K${layout} ${query} ${form} (${comparisons.length + 1} of ${cases.length})`)
    const { rows, ms, failure } = await agree(each, services, peers)
    if (failure !== undefined) process.stderr.write(`\nFAILED ${layout} ${query} ${form}: ${failure}\n`)
    const asked = (service: Service) => () => timed(() => service.drain(body))
    const once: Runs = {
      ...(failure === undefined && { service1: asked(services.one) }),
      native1: () => timed(() => peers.one.answer(sql)),
      ...(failure === undefined && { service2: asked(services.two) }),
      native2: () => timed(() => peers.two.answer(sql)),
    }
    const warmRuns: Runs = {
      ...(failure === undefined && {
        kept1: asked(services.keptOne),
        kept2: asked(services.keptTwo),
      }),
      ...(python !== null && {
        python1: async () => (await python.run(1, sql)).ms,
        python2: async () => (await python.run(2, sql)).ms,
      }),
    }
    const forget = async () => {
      await Promise.all([peers.one.renew(), peers.two.renew(), renew(files)])
      dropFromPageCache(files)
    }
    const isShort = ms < SHORT_MS
    const schedule: Schedule = {
      warmUps: ms < LONG_MS ? 1 : 0,
      rounds: isShort ? rounds * SHORT_ROUNDS : ms < LONG_MS ? rounds : Math.min(rounds, 3),
      leads: isShort ? SHORT_LEADS : 0,
    }
    comparisons.push({
      layout,
      query,
      form,
      rows,
      warm: await interleaved({ ...once, ...warmRuns }, schedule),
      cold:
        coldRounds > 0 && dropFromPageCache(files)
          ? await interleaved(once, { warmUps: 0, rounds: ms < LONG_MS ? coldRounds : 1, before: forget })
          : null,
      ...(failure !== undefined && { failure }),
    })
  }
  process.stderr.write('\r\x1b[K')
  peers.one.close()
  peers.two.close()
  return comparisons
}

/** The rows of native DuckDB's answer, its time with one thread, and what is different about a service's answer, if anything. */
async function agree(
  { sql, body, agreement }: Case,
  services: Services,
  { one, two, python }: Peers,
): Promise<{ readonly rows: number; readonly ms: number; readonly failure?: string }> {
  const start = performance.now()
  const expected = await one.answer(sql)
  const ms = performance.now() - start
  const rows = rowCount(expected)
  const byTwo = difference(expected, await two.answer(sql), agreement)
  if (byTwo !== null) throw new Error(`${sql}: 2 threads of native DuckDB answer otherwise than 1: ${byTwo}`)
  const byPython = await python?.run(1, sql)
  if (byPython !== undefined && byPython.rows !== rows)
    throw new Error(`${sql}: Python's DuckDB gives ${byPython.rows} rows, not ${rows}`)
  for (const [name, service] of Object.entries(services)) {
    const answer = await refusable(service, body)
    const failure = typeof answer === 'string' ? answer : difference(expected, answer, agreement)
    if (failure !== null) return { rows, ms, failure: `service ${name}: ${failure}` }
  }
  return { rows, ms }
}

/** The answer of a service, or why there is none. */
async function refusable(service: Service, body: object): Promise<Answer | string> {
  try {
    return answerOfStream(await service.query(body))
  } catch (error) {
    if (service.running() && error instanceof Error)
      return error instanceof RefusedError ? error.message : `the answer is broken: ${error.message}`
    throw error
  }
}

/** How often each engine runs a case. In each round all engines run it once. */
interface Schedule {
  /** Rounds that are not timed. */
  readonly warmUps: number
  readonly rounds: number
  /** Runs of an engine before each of its timed runs that are not timed. */
  readonly leads?: number
  /** Called before each run. */
  readonly before?: () => Promise<void>
}

/** The median time of each engine. */
async function interleaved(runs: Runs, { warmUps, rounds, leads = 0, before }: Schedule): Promise<Timings> {
  const times = new Map<Engine, number[]>()
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) {
      await before?.()
      for (let lead = 0; lead < leads; lead++) await run()
      const ms = await run()
      const engine = name as Engine
      if (round >= 0) times.set(engine, [...(times.get(engine) ?? []), ms])
    }
  }
  return Object.fromEntries([...times].map(([engine, ms]) => [engine, median(ms)]))
}
