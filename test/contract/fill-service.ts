import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SUPER_USER } from '../http/test-server.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')

const FILES: Readonly<Record<string, string>> = {
  'obs/a.csv': `id,platform,time,longitude,latitude,depth,temperature
1,A,2024-01-01T00:00:00,10.5,50.5,5.0,12.5
2,A,2024-01-02T00:00:00,11.5,51.5,10.0,11.25
3,B,2024-01-03T00:00:00,20.5,60.5,50.5,
`,
  'obs/b.csv': `id,platform,time,longitude,latitude,depth,temperature
4,B,2024-01-04T00:00:00,21.5,61.5,100.0,4.5
5,C,2024-01-05T00:00:00,-30.5,-10.5,200.0,2.5
`,
  'semicolons.csv': 'a;b\n1;2\n',
  'text.csv': 'id\nx\n',
  'UPPER.csv': 'TEMP,temp_qc\n3,0\n1,1\n2,0\n',
  'nan.csv': 'x\n1.5\nNaN\n\n',
  'deep/er/c.csv': 'id\n9\n',
  'parts/year=2023/a.csv': 'n\n1\n',
  'parts/year=2024/a.csv': 'n\n2\n',
  'notes.txt': 'no dataset\n',
  'store.zarr/zarr.json': JSON.stringify({
    zarr_format: 3,
    node_type: 'group',
    attributes: { title: 'grid' },
  }),
  'store.zarr/x/zarr.json': JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape: [2],
    data_type: 'uint8',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [{ name: 'bytes' }],
    attributes: { units: 'm' },
    dimension_names: ['x'],
  }),
  'store.zarr/x/c/0': '\x01\x02',
}

/** What the service itself makes of rows, by the format of its answer. */
const MADE = [
  ['ctd/part-0.parquet', 'parquet'],
  ['ctd/part-1.parquet', 'parquet'],
  ['feather/a.arrow', 'arrow'],
  ['grid/one.nc', 'netcdf'],
] as const

const TYPES_SQL = `SELECT true AS flag, 1::TINYINT AS i8, 2::SMALLINT AS i16, 3::INTEGER AS i32, 4::BIGINT AS i64,
  1::UTINYINT AS u8, 2::USMALLINT AS u16, 3::UINTEGER AS u32, 4::UBIGINT AS u64, 0.5::FLOAT AS f32, 0.25::DOUBLE AS f64,
  'a' AS words, 'b'::BLOB AS bytes, DATE '2024-01-01' AS day, TIME '10:00:00' AS clock, TIMESTAMP '2024-01-01 00:00:00' AS moment,
  TIMESTAMPTZ '2024-01-01 00:00:00+00' AS zoned, 1.25::DECIMAL(9, 2) AS price, [1, 2] AS numbers, {'x': 1.5} AS parts, MAP {'k': 1} AS pairs`

const STATEMENTS = [
  "CREATE EXTERNAL TABLE ctd STORED AS PARQUET LOCATION 'ctd/'",
  "CREATE EXTERNAL TABLE secret STORED AS CSV LOCATION 'deep/'",
  'CREATE VIEW warm AS SELECT id, temperature FROM obs WHERE temperature > 10',
  `CREATE EXTERNAL TABLE "MyTable" STORED AS CSV LOCATION 'UPPER.csv'`,
  `SET EXTENSION 'preset' FOR obs TO '{"presets": [{"name": "surface", "filters": [{"column": "depth", "op": "<", "value": 20}]}]}'`,
  "CREATE USER reader WITH PASSWORD 'a reader'",
  "CREATE USER limited WITH PASSWORD 'a limited one'",
  "CREATE USER roleless WITH PASSWORD 'a roleless one'",
  'CREATE ROLE everything',
  'CREATE ROLE observers',
  'GRANT SELECT ON ALL TO ROLE everything',
  'GRANT SELECT ON TABLE obs TO ROLE observers',
  "GRANT SELECT ON PATH 'obs/**' TO ROLE observers",
  'GRANT ROLE everything TO USER reader',
  'GRANT ROLE observers TO USER limited',
]

const COPIED = [
  ['geoparquet/wkb.parquet', 'points.geoparquet'],
  ['bbf/tiny.bbf', 'small.bbf'],
  ['hdf5/optodas.h5', 'fibre.h5'],
  ['tiff/packbits-u16.tif', 'image.tif'],
  ['odv/declared-once.txt', 'stations.txt'],
] as const

/** Puts files into the dataset root of a service, and makes tables, views and users. `isWhole`: all that rows name, not the table `obs` alone. */
export async function fillService(
  url: string,
  datasets: string,
  { isWhole, hasAnonymous }: { readonly isWhole: boolean; readonly hasAnonymous: boolean },
): Promise<void> {
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(datasets, path)), { recursive: true })
    writeFileSync(join(datasets, path), content)
  }
  for (const [path, content] of Object.entries(FILES)) write(path, content)
  // By REST, which needs no SQL.
  await answerOf(`${url}/api/admin/external-tables`, { name: 'obs', location: 'obs/', file_type: 'CSV' })
  if (!isWhole) return
  for (const [from, to] of COPIED) copyFileSync(join(FIXTURES, from), join(datasets, to))
  const query = (body: object): Promise<Uint8Array> => answerOf(`${url}/api/query`, body)
  for (const [path, format] of MADE) {
    const select = ['id', 'depth', 'temperature']
    write(path, await query({ select, from: { csv: { paths: ['obs/*.csv'] } }, output: { format } }))
  }
  write('types.parquet', await query({ sql: TYPES_SQL, output: { format: 'parquet' } }))
  for (const sql of STATEMENTS) await query({ sql })
  if (hasAnonymous) await query({ sql: 'GRANT ROLE everything TO USER anonymous' })
}

async function answerOf(url: string, body: object): Promise<Uint8Array> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...SUPER_USER },
    body: JSON.stringify(body),
  })
  if (response.status !== 200) throw new Error(`${JSON.stringify(body)}: ${await response.text()}`)
  return new Uint8Array(await response.arrayBuffer())
}
