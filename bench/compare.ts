import { type Answer, difference, rowCount } from './answer.ts'
import { answerOfStream } from './arrow.ts'
import type { Case, Form } from './cases.ts'
import { RefusedError } from './client.ts'
import type { Flags } from './flags.ts'
import { type Native, native } from './native.ts'
import { dropFromPageCache, renew } from './page-cache.ts'
import type { Service } from './service.ts'
import { median, timed } from './statistics.ts'

/** Service with 1 and 2 workers, over HTTP; native DuckDB with 1 and 2 threads, in this process. */
export type Engine = 'service1' | 'native1' | 'service2' | 'native2'

/** Medians, milliseconds. */
export type Timings = Partial<Record<Engine, number>>

export interface Comparison {
  readonly layout: string
  readonly query: string
  readonly form: Form
  readonly rows: number
  readonly warm: Timings
  /**
   * Each run after the files were dropped from the page cache and made new ones: nobody knows anything of them. Null
   * where that is not possible or not asked for.
   */
  readonly cold: Timings | null
  /** Why the service has no times: it refused, or its answer is wrong. */
  readonly failure?: string
}

export interface Services {
  readonly one: Service
  readonly two: Service
}

/** A run that takes longer than this needs no warm-up beyond the comparison of the answers, milliseconds. */
const LONG_MS = 1000

/** Runs every case by every engine, interleaved, after a check that their answers agree. */
export async function compare(
  services: Services,
  cases: readonly Case[],
  { rounds, coldRounds }: Flags,
): Promise<Comparison[]> {
  const natives = { one: await native(1), two: await native(2) }
  const comparisons: Comparison[] = []
  for (const each of cases) {
    const { layout, query, form, sql, body, files } = each
    process.stderr.write(`\r\x1b[K${layout} ${query} ${form} (${comparisons.length + 1} of ${cases.length})`)
    const { rows, ms, failure } = await agree(each, services, natives)
    const engines: Partial<Record<Engine, () => Promise<unknown>>> = {
      ...(failure === undefined && { service1: () => services.one.drain(body) }),
      native1: () => natives.one.answer(sql),
      ...(failure === undefined && { service2: () => services.two.drain(body) }),
      native2: () => natives.two.answer(sql),
    }
    const forget = async () => {
      await Promise.all([natives.one.renew(), natives.two.renew(), renew(files)])
      dropFromPageCache(files)
    }
    const warmUps = ms < LONG_MS ? 1 : 0
    comparisons.push({
      layout,
      query,
      form,
      rows,
      warm: await interleaved(engines, { warmUps, rounds: ms < LONG_MS ? rounds : Math.min(rounds, 3) }),
      cold:
        coldRounds > 0 && dropFromPageCache(files)
          ? await interleaved(engines, { warmUps: 0, rounds: ms < LONG_MS ? coldRounds : 1, before: forget })
          : null,
      ...(failure !== undefined && { failure }),
    })
  }
  process.stderr.write('\r\x1b[K')
  natives.one.close()
  natives.two.close()
  return comparisons
}

/** What native DuckDB gives, how long that takes with one thread, and why an engine's answer is not the same. */
async function agree(
  { sql, body, agreement }: Case,
  services: Services,
  natives: { readonly one: Native; readonly two: Native },
): Promise<{ readonly rows: number; readonly ms: number; readonly failure?: string }> {
  const start = performance.now()
  const expected = await natives.one.answer(sql)
  const ms = performance.now() - start
  const rows = rowCount(expected)
  const two = difference(expected, await natives.two.answer(sql), agreement)
  if (two !== null) throw new Error(`${sql}: 2 threads of native DuckDB answer otherwise than 1: ${two}`)
  for (const [workers, service] of [
    [1, services.one],
    [2, services.two],
  ] as const) {
    const answer = await refusable(service, body)
    const failure = typeof answer === 'string' ? answer : difference(expected, answer, agreement)
    if (failure !== null) return { rows, ms, failure: `${workers} workers: ${failure}` }
  }
  return { rows, ms }
}

/** The answer, or why there is none. */
async function refusable(service: Service, body: object): Promise<Answer | string> {
  try {
    return answerOfStream(await service.query(body))
  } catch (error) {
    if (service.running() && error instanceof Error)
      return error instanceof RefusedError ? error.message : `the answer is broken: ${error.message}`
    throw error
  }
}

interface Turns {
  readonly warmUps: number
  readonly rounds: number
  /** Goes before each run. */
  readonly before?: () => Promise<void>
}

/** Median time of each, run in turns. */
async function interleaved(
  runs: Partial<Record<Engine, () => Promise<unknown>>>,
  { warmUps, rounds, before }: Turns,
): Promise<Timings> {
  const times = new Map<Engine, number[]>()
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) {
      await before?.()
      const ms = await timed(run)
      const engine = name as Engine
      if (round >= 0) times.set(engine, [...(times.get(engine) ?? []), ms])
    }
  }
  return Object.fromEntries([...times].map(([engine, ms]) => [engine, median(ms)]))
}
