import { join } from 'node:path'
import { Field, Int32, List, Table, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

t.test('and says which column has to be left out, with rows or without', async (t) => {
  const { datasets, query } = await startTestService(t, { workers: 1 })
  const type = new List(new Field('item', new Int32(), true))
  const table = new Table({ id: vectorFromArray([1], new Int32()), x: vectorFromArray([[1]], type) })
  writeParquetFile(join(datasets, 'a.parquet'), table, 1024)
  const body = { from: { parquet: { paths: ['a.parquet'] } }, output: { format: 'csv' } }
  for (const limit of [1, 0]) {
    const refused = await query({ ...body, select: ['id', 'x'], limit })
    t.equal(refused.status, 400)
    t.match(await refused.json(), /column "x" is List<Int32>, .*leave it out/)
  }
  const answered = await query({ ...body, select: ['id'] })
  t.equal(await answered.text(), 'id\n1\n')
})
