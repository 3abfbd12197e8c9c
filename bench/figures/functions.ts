import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { testEngine } from '../../test/sql/engine.ts'
import { answerOf, difference } from '../compare/answer.ts'
import { answerOfStream } from '../compare/arrow.ts'
import type { BenchData } from '../input/data.ts'
import type { Python } from '../input/python.ts'
import { median, timed } from '../report/statistics.ts'
import type { Service } from '../service/service.ts'
import type { Figure } from './figure.ts'

const BOOTS = 11

/** Runs of the small statement by each engine in a round, and rounds. */
const RUNS = 20
const ROUNDS = 150

/** A statement that calls nothing of what the engine adds to DuckDB. Operators have overloads that it adds. */
const SMALL = `SELECT range % 7 AS k, count(*) AS n, sum(range + 1) AS total, round(avg(range - 3), 2) AS mean
  FROM range(100) WHERE range > 5 GROUP BY k ORDER BY k`

/** The first instants of months, whose counts and means are asked for. Seconds since 1970 are in the column `time`. */
function byMonth(table: string): string {
  return `SELECT date_trunc('month', to_timestamp(time)) AS month, count(*) AS n, avg(temperature) AS mean
    FROM ${table} GROUP BY month ORDER BY month`
}

/**
 * What functions cost: months by a function of times with a zone, against DuckDB for Python with its extension icu and the same zone;
 * the start of an engine, and a statement that calls none of them, with the functions that DuckDB does not have and without.
 */
export async function functions(
  service: Service,
  python: Python | null,
  data: BenchData,
  rounds: number,
): Promise<Figure[]> {
  return [
    ...(python === null ? [] : await months(service, python, data, rounds)),
    ...(await boots()),
    ...(await smallStatements()),
  ]
}

async function months(
  service: Service,
  python: Python,
  { root, folder }: BenchData,
  rounds: number,
): Promise<Figure[]> {
  const sql = byMonth(`read_parquet(['${folder}/random/*.parquet'])`)
  const native = byMonth(`read_parquet('${join(root, folder, 'random')}/*.parquet')`)
  await agree(service, python, sql, native)
  const [ofService, ofPython]: [number[], number[]] = [[], []]
  // The first round is not timed.
  for (let round = -1; round < rounds; round++) {
    const ms = await timed(() => service.drain({ sql }))
    const peer = await python.run(1, native)
    if (round < 0) continue
    ofService.push(ms)
    ofPython.push(peer.ms)
  }
  const rows = `${Number(folder) / 1e6} M rows`
  const what = `months of ${rows} by date_trunc('month', to_timestamp(time)), with counts and means, 1 worker`
  const peer = `DuckDB ${python.version} with icu, 1 thread`
  return [
    { key: 'functions_month_service', what, value: median(ofService), unit: 'ms' },
    { key: 'functions_month_peer', what: `the same by ${peer}`, value: median(ofPython), unit: 'ms' },
    {
      key: 'functions_month',
      what: `${what}, against ${peer}`,
      value: inTurns(ofService, ofPython),
      unit: '×',
    },
  ]
}

/** Throws when the answers differ. Months are compared as text, which has their zone; means are sums of floats in another order. */
async function agree(service: Service, python: Python, sql: string, native: string): Promise<void> {
  const asText = (query: string) => `SELECT month::VARCHAR AS month, n, mean FROM (${query})`
  const { names, batches } = answerOfStream(await service.query({ sql: asText(sql) }))
  const rows = batches.flatMap((columns) =>
    Array.from({ length: columns[0]?.length ?? 0 }, (_, row) => {
      const [month, n, mean] = columns.map((column) => column.get(row))
      return [month, Number(n), mean]
    }),
  )
  const expected = await python.rows(asText(native))
  const fault = difference({ ...answerOf(expected), names }, { ...answerOf(rows), names }, 'ordered')
  if (fault !== null) throw new Error(`months: ${fault}`)
}

/** Starts of engines by turns, each in a process of its own: code is compiled anew, as at the start of the service. */
async function boots(): Promise<Figure[]> {
  const times = await byTurns(BOOTS, 1, async (which) => {
    const child = fork(join(import.meta.dirname, '../peer/boot-engine.ts'), [which], { execArgv: [] })
    const [ms] = (await once(child, 'message')) as [number]
    child.kill()
    return ms
  })
  const what = 'start of an engine, with the functions that DuckDB does not have'
  return [
    { key: 'functions_boot_with', what, value: median(times.with), unit: 'ms' },
    {
      key: 'functions_boot_without',
      what: 'the same without them',
      value: median(times.without),
      unit: 'ms',
    },
    {
      key: 'functions_boot',
      what: `${what}, against one without`,
      value: inTurns(times.with, times.without),
      unit: '×',
    },
  ]
}

/** Small statements in two engines by turns. */
async function smallStatements(): Promise<Figure[]> {
  // Engines of one compiled module share the code that V8 optimizes.
  const first = await testEngine({ addsFunctions: true })
  const { module } = first.engine
  const engines = { with: first, without: await testEngine({ module, addsFunctions: false }) }
  const times = await byTurns(ROUNDS, 8, async (which) => {
    const start = performance.now()
    for (let run = 0; run < RUNS; run++) engines[which].run(SMALL)
    return (performance.now() - start) / RUNS
  })
  const what = 'small statement that calls none of these functions'
  return [
    { key: 'functions_small_ms', what, value: median(times.with), unit: 'ms' },
    {
      key: 'functions_small',
      what: `${what}, in an engine with them against one without`,
      value: inTurns(times.with, times.without),
      unit: '×',
    },
  ]
}

/** The times of both by turns, each the first one in half of the rounds, after rounds that are not timed. */
async function byTurns(
  rounds: number,
  warmUps: number,
  measure: (which: 'with' | 'without') => Promise<number>,
): Promise<Record<'with' | 'without', readonly number[]>> {
  const times: Record<'with' | 'without', number[]> = { with: [], without: [] }
  for (let round = -warmUps; round < rounds; round++) {
    const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)
    for (const which of order) {
      const ms = await measure(which)
      if (round >= 0) times[which].push(ms)
    }
  }
  return times
}

/** The median of the ratios of runs that were made one after the other. */
function inTurns(times: readonly number[], others: readonly number[]): number {
  return median(times.map((ms, round) => ms / (others[round] ?? Number.NaN)))
}
