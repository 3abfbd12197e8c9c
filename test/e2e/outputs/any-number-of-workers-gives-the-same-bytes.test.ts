import { join } from 'node:path'
import t from 'tap'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const QUERIES = [
  { select: ['id', 'noise', 'name'] },
  { select: ['name', 'id'], filters: [{ column: 'noise', max: 0.3 }] },
  { select: ['id'], filters: [{ column: 'noise', min: 0.5 }], offset: 1234, limit: 5678 },
  { select: ['id', 'noise'], offset: 20_000, limit: 31 },
  { select: ['id'], filters: [{ column: 'noise', max: 0.001 }], output: { format: 'csv' } },
  { select: ['id', 'noise'], filters: [{ column: 'noise', max: 0.001 }], output: { format: 'json' } },
  { select: ['id', 'noise', 'name'], output: { format: 'parquet' } },
  { select: ['name', 'id'], filters: [{ column: 'noise', max: 0.3 }], output: { format: 'parquet' } },
  { select: ['id', 'noise'], sort_by: [{ Desc: 'noise' }], offset: 10, limit: 500 },
  { select: ['noise', 'id'], sort_by: [{ Asc: 'name' }, { Asc: 'noise' }] },
  { select: ['name'], distinct: { on: ['name'], select: ['name'] }, sort_by: [{ Asc: 'name' }] },
]

const FILES = "read_parquet('*.parquet')"

const STATEMENTS = [
  `SELECT name, count(*) AS n, avg(noise), sum(noise), stddev_samp(noise), max(id) FROM ${FILES} GROUP BY name`,
  `SELECT name, median(noise), quantile_disc(id, 0.9), arg_max(id, noise), arg_min(noise, name) FROM ${FILES} GROUP BY name`,
  `SELECT quantile_cont(noise, 0.25), median(DISTINCT id), arg_max(name, noise) FROM ${FILES} WHERE noise > 0.25`,
  `SELECT count(DISTINCT name), sum(noise) FROM ${FILES} WHERE noise > 0.25`,
  `SELECT count(*) FROM (SELECT name FROM ${FILES} WHERE noise < 0.5) AS q`,
  `SELECT min(id), max(id), count(id) FROM ${FILES}`,
]

t.test('rows come in file order or the one asked for, cut where offset and limit say', async (t) => {
  const answers: Buffer[][] = []
  for (const workers of [1, 2, 3]) {
    const service = await startTestService(t, { workers })
    writeParquetFile(join(service.datasets, 'a.parquet'), numberedRows(20_000), 1000)
    writeParquetFile(join(service.datasets, 'b.parquet'), numberedRows(15_000, 20_000), 1700)
    const from = { parquet: { paths: ['*.parquet'] } }
    const bodies: Buffer[] = []
    const queries = [...QUERIES.map((query) => ({ from, ...query })), ...STATEMENTS.map((sql) => ({ sql }))]
    for (const query of queries) {
      const response = await service.query(query)
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
