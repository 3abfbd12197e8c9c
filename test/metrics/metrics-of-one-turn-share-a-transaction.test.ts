import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import { createMetricsStore } from '../../src/main/history/store.ts'
import { someMetrics } from './metrics.ts'

t.test(
  '1000 metrics of 5 turns make 5 transactions; each is found at once, and when it is committed',
  async (t) => {
    const path = join(t.testdir(), 'metrics.db')
    const database = openMetricsDatabase(path)
    const store = createMetricsStore(database, {
      retentionDays: 0,
      maximumRows: 0,
      maximumBytes: 0,
      log: { error: (_, message) => t.fail(message) },
    })
    const before = commitsInWal(`${path}-wal`)
    for (let turn = 0; turn < 5; turn++) {
      const metrics = Array.from({ length: 200 }, () => someMetrics())
      const committed = metrics.map((m) => store.record(m))
      t.same(
        metrics.map(({ queryId }) => store.find(queryId)),
        metrics,
      )
      await Promise.all(committed)
      t.same(
        metrics.map(({ queryId }) => store.find(queryId)),
        metrics,
      )
    }
    t.equal(commitsInWal(`${path}-wal`) - before, 5)
    await store.close()
    database.close()
  },
)

/** Transactions in a write-ahead log: frames whose header says that they end one (sqlite.org/fileformat2.html §4.1). */
function commitsInWal(path: string): number {
  const wal = readFileSync(path)
  const frameBytes = 24 + wal.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at < wal.length; at += frameBytes) if (wal.readUInt32BE(at + 4) > 0) commits += 1
  return commits
}
