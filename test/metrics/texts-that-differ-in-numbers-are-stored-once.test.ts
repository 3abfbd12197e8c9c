import { join } from 'node:path'
import t from 'tap'
import { changesOf, numbersOf, templateOf, withChanges } from '../../src/main/history/numbers.ts'
import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import type { QueryMetrics } from '../../src/main/history/query-metrics.ts'
import { createMetricsStore, type MetricsStore } from '../../src/main/history/store.ts'
import { fc } from '../support/generate.ts'
import { someMetrics } from './metrics.ts'
import { faults, sharedTexts } from './shared-texts.ts'

const QUERIES = 300

/** Metrics of a query whose filter has this constant. */
function metricsOf(constant: string, files: readonly string[] = []): QueryMetrics {
  const condition = `temperature BETWEEN Float64(-9) AND ${constant}`
  const plan = JSON.stringify([
    { Plan: { 'Node Type': 'Filter', Condition: condition, 'Full Filters': [condition], Files: files } },
  ])
  return someMetrics({
    query: JSON.stringify({ sql: `SELECT time, temperature FROM t WHERE temperature < ${constant}` }),
    filePaths: files,
    parsedPlan: plan,
    optimizedPlan: plan,
  })
}

async function recordAll(store: MetricsStore, recorded: readonly QueryMetrics[]): Promise<void> {
  // Several transactions, so that texts are shared among them too.
  for (let from = 0; from < recorded.length; from += 100)
    await Promise.all(recorded.slice(from, from + 100).map((metrics) => store.record(metrics)))
}

t.test('queries that differ in a number share their texts, and each is found as it was', async (t) => {
  const database = openMetricsDatabase(join(t.testdir(), 'metrics.db'))
  const log = { error: (_: object, message: string) => t.fail(message) }
  const store = createMetricsStore(database, { retentionDays: 0, maximumRows: 0, maximumBytes: 0, log })
  const files = Array.from({ length: 100 }, (_, month) => `observations/2024-${month}.parquet`)
  const recorded = Array.from({ length: QUERIES }, (_, n) => {
    const metrics = metricsOf(`Float64(${n - 150}.${n})`, files)
    const stageTimes = { ...metrics.stageTimes, queue: n / 1000, client: n }
    return { ...metrics, stageTimes, resultRows: n }
  })
  await recordAll(store, recorded)
  t.same(
    recorded.map(({ queryId }) => store.find(queryId)),
    recorded,
  )
  t.equal(sharedTexts(database), 4, 'the query, the paths, the plan and the times')
  t.same(faults(database), [])
  const stored = 'sum(length(query) + length(file_paths) + length(parsed_logical_plan))'
  const characters = Number(database.prepare(`SELECT ${stored} FROM query_metrics`).pluck().get())
  const [first] = recorded
  const ofOne = (first?.query.length ?? 0) + JSON.stringify(files).length + (first?.parsedPlan.length ?? 0)
  t.ok(characters < 60 * QUERIES + 2 * ofOne, `${characters} characters, and not ${ofOne} of each query`)
  await store.close()
  database.close()
})

t.test(
  'queries that differ in words share what is equal, and take no entry that nobody shares',
  async (t) => {
    const database = openMetricsDatabase(join(t.testdir(), 'metrics.db'))
    const log = { error: (_: object, message: string) => t.fail(message) }
    const store = createMetricsStore(database, { retentionDays: 0, maximumRows: 0, maximumBytes: 0, log })
    const word = (n: number): string => `'${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}'`
    const recorded = Array.from({ length: QUERIES }, (_, n) => metricsOf(word(n)))
    await recordAll(store, recorded)
    t.equal(sharedTexts(database), 1, 'the times')
    const again = Array.from({ length: QUERIES }, (_, n) => metricsOf(word(n)))
    await recordAll(store, again)
    const all = [...recorded, ...again]
    t.same(
      all.map(({ queryId }) => store.find(queryId)),
      all,
    )
    t.equal(sharedTexts(database), 1 + 2 * QUERIES, 'and now each query and each plan, for it came twice')
    t.same(faults(database), [])
    await store.close()
    database.close()
  },
)

t.test('a text is its template and its numbers, whatever it is', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '-',
      '.',
      'e',
      '+',
      'E',
      ':',
      ',',
      '0',
      '00',
      '-0.5e-7',
      '1.2.3',
      '2024-01-05T10:00:00Z',
      '٣',
    ),
    fc.string(),
    fc.double().map(String),
  )
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  const number = fc.oneof(fc.nat().map(String), fc.constantFrom('-1', '1.5', '-2.25e-9', '007'))
  fc.assert(
    fc.property(text, fc.array(number, { minLength: 1 }), (from, numbers) => {
      let place = 0
      const to = templateOf(from).replaceAll('0', () => numbers[place++ % numbers.length] ?? '')
      // Numbers that came to stand beside others may have become one with them.
      fc.pre(templateOf(to) === templateOf(from))
      const changes = changesOf(numbersOf(from), numbersOf(to))
      return withChanges(from, changes) === to && /^(?:\d+:[-+.e\d]+(?:,|$))*$/.test(changes)
    }),
  )
})
