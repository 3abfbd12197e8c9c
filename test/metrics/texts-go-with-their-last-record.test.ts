import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import { prepareDeletion } from '../../src/main/history/retention.ts'
import { toRow } from '../../src/main/history/row.ts'
import { createMetricsStore } from '../../src/main/history/store.ts'
import { createTexts } from '../../src/main/history/texts.ts'
import { createMetricsWriter } from '../../src/main/history/writer.ts'
import { someMetrics } from './metrics.ts'
import { faults, sharedTexts } from './shared-texts.ts'

const DAY_MS = 86_400_000

/** Metrics of a query of its own kind, twice, so that the texts are shared; `kind` is a word. */
function twice(kind: string, finishedAt = Date.now()) {
  const query = JSON.stringify({ sql: `SELECT time, temperature FROM ${kind} WHERE temperature < 23.2` })
  return [1, 2].map(() => someMetrics({ query, finishedAt }))
}

/** Words of letters alone. */
function words(count: number): string[] {
  return Array.from({ length: count }, (_, n) =>
    [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join(''),
  )
}

/** A catalog database, what writes metrics into it, what finds them there, and what deletes some. */
function open(t: Test, limits: { retentionDays?: number; maximumRows?: number; maximumBytes?: number }) {
  const database = openMetricsDatabase(join(t.testdir(), 'metrics.db'))
  const log = { error: (_: object, message: string) => t.fail(message) }
  const without = { retentionDays: 0, maximumRows: 0, maximumBytes: 0, log }
  const writer = createMetricsWriter(database, without)
  const store = createMetricsStore(database, without)
  t.teardown(async () => {
    await store.close()
    writer.close()
    database.close()
  })
  const deleteSome = prepareDeletion(database, createTexts(database), { ...without, ...limits })
  return { database, writer, store, deleteSome }
}

t.test('texts of records that are too old go with the last of them', async (t) => {
  const { database, writer, store, deleteSome } = open(t, { retentionDays: 30 })
  const old = words(300).flatMap((word) => twice(word, Date.now() - 31 * DAY_MS))
  const young = words(10).flatMap((word) => twice(word))
  writer.write([...old, ...young].map(toRow))
  t.same(faults(database), [])
  const before = sharedTexts(database)
  t.ok(before >= 300)

  const deleted = [deleteSome(), deleteSome(), deleteSome(), deleteSome()]
  t.same(deleted, [200, 200, 200, 0], 'a few at a time')
  t.equal(sharedTexts(database), before - 290)
  t.same(faults(database), [])
  t.same(
    young.map(({ queryId }) => store.find(queryId)),
    young,
    'records that shared texts with older ones are whole',
  )
})

t.test('texts of more records than are kept go with the last of them', async (t) => {
  const { database, writer, store, deleteSome } = open(t, { maximumRows: 100 })
  const recorded = words(200).flatMap((word) => twice(word))
  writer.write(recorded.map(toRow))
  while (deleteSome() > 0) t.same(faults(database), [])
  t.ok(sharedTexts(database) < 60)
  t.same(
    recorded.map(({ queryId }) => store.find(queryId)),
    [...Array.from({ length: 300 }, () => null), ...recorded.slice(-100)],
  )
})

t.test('a database above its bytes gives up the oldest records with their texts', async (t) => {
  const maximumBytes = 1 << 20
  const { database, writer, store, deleteSome } = open(t, { maximumBytes })
  const recorded = words(800).flatMap((word) => twice(`${word}_${'long'.repeat(500)}`))
  writer.write(recorded.map(toRow))
  const bytes = (): number => {
    const pages = (pragma: string): number => Number(database.pragma(pragma, { simple: true }))
    return (pages('page_count') - pages('freelist_count')) * pages('page_size')
  }
  t.ok(bytes() > 2 * maximumBytes)
  while (deleteSome() > 0) t.same(faults(database), [])
  t.ok(bytes() <= maximumBytes)
  const kept = recorded.filter(({ queryId }) => store.find(queryId) !== null)
  t.ok(kept.length >= 200, 'and no more than it must')
  t.same(kept, recorded.slice(-kept.length))
})

t.test('what is not kept any more leaves nothing', async (t) => {
  const { database, writer, deleteSome } = open(t, { maximumBytes: 1 })
  writer.write(words(50).flatMap((word) => twice(word).map(toRow)))
  t.equal(deleteSome(), 100)
  t.equal(deleteSome(), 0)
  t.equal(sharedTexts(database), 0)
})
