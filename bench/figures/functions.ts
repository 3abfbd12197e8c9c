import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { testEngine } from '../../test/sql/engine.ts'
import { inTurns, median } from '../report/statistics.ts'
import type { Figure } from './figure.ts'

const BOOTS = 11

/** Runs of the small statement by each engine in a round, and rounds. */
const RUNS = 20
const ROUNDS = 150

/** A statement that calls nothing of what the engine adds to DuckDB. Operators have overloads that it adds. */
const SMALL = `SELECT range % 7 AS k, count(*) AS n, sum(range + 1) AS total, round(avg(range - 3), 2) AS mean
  FROM range(100) WHERE range > 5 GROUP BY k ORDER BY k`

/** What the functions that DuckDB does not have cost: the start of an engine, and a statement that calls none of them, with and without. */
export async function functions(): Promise<Figure[]> {
  return [...(await boots()), ...(await smallStatements())]
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
