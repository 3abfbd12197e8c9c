/** Child process of metrics-survive-kill-9.test.ts: records metrics and prints each id once it is committed, for ever. */
import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import { createMetricsStore } from '../../src/main/history/store.ts'
import { someMetrics } from './metrics.ts'

const store = createMetricsStore(openMetricsDatabase(process.argv[2] ?? ''), {
  retentionDays: 0,
  maximumRows: 0,
  maximumBytes: 0,
  log: {
    error(_details, message) {
      throw new Error(message)
    },
  },
})
for (;;) {
  const batch = Array.from({ length: 10 }, () => someMetrics())
  await Promise.all(batch.map((metrics) => store.record(metrics)))
  process.stdout.write(batch.map(({ queryId }) => `${queryId}\n`).join(''))
}
