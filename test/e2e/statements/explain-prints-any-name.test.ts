import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../service.ts'

t.test('EXPLAIN prints names that no statement may seem to call', async (t) => {
  const { rows, datasets } = await startTestService(t, { workers: 1 })
  writeFileSync(join(datasets, 'query (1).csv'), "it's\n1\n")
  const plans = await rows({ sql: `EXPLAIN SELECT * FROM read_csv('*.csv')` })
  t.match(String(plans.get(0)?.['plan']), /Files: query \(1\)\.csv;.* Output: it's/)
})
