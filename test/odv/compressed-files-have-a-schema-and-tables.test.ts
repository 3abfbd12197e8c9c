import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { startOdvService } from '../output/odv/odv-service.ts'
import { odvText } from './compressed.ts'

/** Large enough that it is inflated into a temporary file, and damaged behind the bytes that show the schema. */
function damagedFile(): Uint8Array {
  const bytes = gzipSync(odvText(3000), { level: 1 })
  return bytes.fill(0x55, bytes.length - 2000, bytes.length - 1000)
}

const FILES = {
  'casts/a.txt.gz': gzipSync(odvText(2)),
  'casts/b.TXT.ZST': zstdCompressSync(odvText(3, 'C2')),
  'casts/c.txt': odvText(1, 'C3'),
  'casts/d.csv.gz': gzipSync('a,b\n1,2\n'),
  'damaged.txt.gz': damagedFile(),
  'rows.csv.gz': gzipSync('a,b\n1,2\n'),
}

t.test('compressed ODV files', async (t) => {
  const { ask, get } = await startOdvService(t, FILES)
  const answer = async (sql: string): Promise<string> => {
    const response = await ask({ sql, output: { format: 'csv' } })
    const text = await response.text()
    return response.status === 200 ? text : `${response.status} ${text}`
  }

  await t.test('show their schema by their first bytes', async (t) => {
    const schema = await get('/api/dataset-schema?file=damaged.txt.gz')
    t.equal(schema.status, 200)
    t.match(await schema.text(), /yyyy-mm-ddThh:mm:ss\.sss.*Depth.*Temp/s)
    t.match(await answer("SELECT * FROM read_odv_schema('damaged.txt.gz')"), /Depth.*Temp/s)
    t.match(await answer("DESCRIBE SELECT * FROM read_odv('damaged.txt.gz')"), /Depth.*Temp/s)
    const rows = await answer('SELECT sum("Temp") FROM read_odv(\'damaged.txt.gz\')')
    t.match(rows, /^400 .*damaged\.txt\.gz.* cannot be inflated \(gzip\)/)
  })

  await t.test('are the files of a table whose location is a folder', async (t) => {
    const created = await ask({ sql: "CREATE EXTERNAL TABLE casts STORED AS ODV LOCATION 'casts/'" })
    t.equal(created.status, 200, await created.text())
    t.equal(
      await answer('SELECT "Cruise", count(*) AS n FROM casts GROUP BY ALL ORDER BY ALL'),
      'Cruise,n\nC1,100\nC2,150\nC3,50\n',
    )
    t.equal(await answer('SELECT count(*) AS n FROM casts WHERE "Cruise" = \'C2\''), 'n\n150\n')
  })

  await t.test('have plans', async (t) => {
    const plan = await answer('EXPLAIN SELECT "Depth" FROM read_odv(\'casts/a.txt.gz\') WHERE "Depth" > 3')
    t.match(plan, /casts\/a\.txt\.gz/)
    const analyzed = await answer('EXPLAIN ANALYZE SELECT sum("Depth") FROM read_odv(\'casts/*.txt*\')')
    t.match(analyzed, /ODV|odv/)
  })

  await t.test('are named by the end of the name before that of the compression', async (t) => {
    const named = await get('/api/dataset-schema?file=casts/b.TXT.ZST')
    t.equal(named.status, 200)
    t.equal((await get('/api/dataset-schema?file=casts/x.parquet.gz')).status, 400)
  })

  await t.test('are read as ODV alone: CSV is not inflated', async (t) => {
    const csv = await answer("SELECT * FROM read_csv('rows.csv.gz')")
    t.match(csv, /^400 .*rows\.csv\.gz.* cannot be read as CSV: it is compressed with gzip.*UTF-8.*unpack it/)
    const file = await get('/api/dataset-schema?file=rows.csv.gz')
    t.equal(file.status, 400)
    const odv = await answer("SELECT * FROM read_odv('rows.csv.gz')")
    t.match(odv, /^400 .*holds CSV, and was read as ODV; unpack it, and read it with read_csv/)
  })
})
