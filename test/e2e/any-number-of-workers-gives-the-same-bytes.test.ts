import { join } from 'node:path'
import t from 'tap'
import { numberedRows, writeParquetFile } from './parquet-file.ts'
import { startTestService } from './service.ts'

const QUERIES = [
  { select: ['id', 'noise', 'name'] },
  { select: ['name', 'id'], filters: [{ column: 'noise', max: 0.3 }] },
  { select: ['id'], filters: [{ column: 'noise', min: 0.5 }], offset: 1234, limit: 5678 },
  { select: ['id', 'noise'], offset: 20_000, limit: 31 },
  { select: ['id'], filters: [{ column: 'noise', max: 0.001 }], output: { format: 'csv' } },
]

t.test('rows come in file order, cut where offset and limit say', async (t) => {
  const answers: Buffer[][] = []
  for (const workers of [1, 2, 3]) {
    const service = await startTestService(t, { workers })
    writeParquetFile(join(service.datasets, 'a.parquet'), numberedRows(20_000), 1000)
    writeParquetFile(join(service.datasets, 'b.parquet'), numberedRows(15_000, 20_000), 1700)
    const from = { parquet: { paths: ['*.parquet'] } }
    const bodies: Buffer[] = []
    for (const query of QUERIES) {
      const response = await service.query({ from, ...query })
      t.equal(response.status, 200)
      bodies.push(Buffer.from(await response.arrayBuffer()))
    }
    answers.push(bodies)
    if (workers === 2) {
      const ids = (await service.rows({ from, ...QUERIES[2] })).getChild('id')?.toArray()
      const expected = [...(numberedRows(35_000).getChild('noise')?.toArray() ?? [])]
        .flatMap((noise, id) => (noise >= 0.5 ? [id] : []))
        .slice(1234, 1234 + 5678)
      t.strictSame([...ids], expected)
    }
  }
  const [one = [], ...others] = answers
  for (const other of others) {
    other.forEach((body, index) => {
      t.ok(body.equals(one[index] ?? Buffer.alloc(0)), `query ${index}`)
    })
  }
})
