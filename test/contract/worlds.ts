import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { startTestService, type TestService } from '../e2e/service.ts'
import { SUPER_USER } from '../http/test-server.ts'
import type { Target } from './walk.ts'

const BASE = '/ocean/data'

interface World {
  readonly settings: Readonly<Record<string, string>>
  readonly hasCors?: false
}

/** The services to which rows are sent. Rows without a world go to the first two, unless they say which. */
export const WORLDS = Object.freeze({
  'without rules': { settings: {} },
  'with rules': { settings: { SERVICE_AUTH_ENFORCE: 'true', SERVICE_BASE_PATH: BASE } },
  'SQL off': { settings: { SERVICE_ENABLE_SQL: 'false' } },
  'nobody is anonymous': {
    settings: { SERVICE_AUTH_ANONYMOUS_ENABLED: 'false', SERVICE_AUTH_ENFORCE: 'true' },
  },
  'nobody is anonymous, without rules': { settings: { SERVICE_AUTH_ANONYMOUS_ENABLED: 'false' } },
  'one origin': {
    settings: {
      SERVICE_CORS_ALLOWED_ORIGINS: 'https://a.example',
      SERVICE_CORS_ALLOWED_METHODS: 'GET, POST',
      SERVICE_CORS_ALLOWED_CREDENTIALS: 'true',
      SERVICE_CORS_MAX_AGE: '60',
    },
    hasCors: false,
  },
  'obs is the default table': { settings: { SERVICE_DEFAULT_TABLE: 'obs', SERVICE_ENABLE_SYS_INFO: 'true' } },
  'no default table': { settings: { SERVICE_DEFAULT_TABLE: 'nothing' } },
  'another name': { settings: { SERVICE_NAME: 'ocean', SERVICE_ADMIN_USERNAME: 'service-admin' } },
  'small uploads': { settings: { SERVICE_MAX_UPLOAD_BYTES: '8' } },
  titles: {
    settings: {
      SERVICE_API_TITLE: 'Title',
      SERVICE_API_DESCRIPTION: 'Description',
      SERVICE_API_TERMS_OF_SERVICE: 'https://a.example/terms',
      SERVICE_API_CONTACT_NAME: 'Contact',
      SERVICE_API_CONTACT_URL: 'https://a.example/contact',
      SERVICE_API_CONTACT_EMAIL: 'a@a.example',
      SERVICE_API_LICENSE_NAME: 'Licence',
      SERVICE_API_LICENSE_URL: 'https://a.example/licence',
    },
  },
} satisfies Readonly<Record<string, World>>)

/** Starts one of them, over some files, with tables, views and users. It ends with the test. */
export async function startWorld(t: Test, name: string): Promise<Target> {
  const world: World | undefined = new Map<string, World>(Object.entries(WORLDS)).get(name)
  if (world === undefined) throw new RangeError(`there is no world ${name}`)
  const service = await startTestService(t, { settings: world.settings })
  const base = world.settings['SERVICE_BASE_PATH'] ?? ''
  const url = service.url + base
  await fill(url, service, world.settings)
  return { url, base, hasCors: world.hasCors ?? true }
}

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
const MADE: Readonly<Record<string, unknown>> = {
  'ctd/part-0.parquet': 'parquet',
  'ctd/part-1.parquet': 'parquet',
  'feather/a.arrow': 'arrow',
  'grid/one.nc': 'netcdf',
}

const TYPES_SQL = `SELECT true AS flag, 1::TINYINT AS i8, 2::SMALLINT AS i16, 3::INTEGER AS i32, 4::BIGINT AS i64,
  1::UTINYINT AS u8, 2::USMALLINT AS u16, 3::UINTEGER AS u32, 4::UBIGINT AS u64, 0.5::FLOAT AS f32, 0.25::DOUBLE AS f64,
  'a' AS words, 'b'::BLOB AS bytes, DATE '2024-01-01' AS day, TIME '10:00:00' AS clock, TIMESTAMP '2024-01-01 00:00:00' AS moment,
  TIMESTAMPTZ '2024-01-01 00:00:00+00' AS zoned, 1.25::DECIMAL(9, 2) AS price, [1, 2] AS numbers, {'x': 1.5} AS parts, MAP {'k': 1} AS pairs`

const STATEMENTS = [
  "CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs/'",
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

const ANONYMOUS = 'GRANT ROLE everything TO USER anonymous'

async function fill(
  url: string,
  { datasets }: TestService,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(datasets, path)), { recursive: true })
    writeFileSync(join(datasets, path), content)
  }
  for (const [path, content] of Object.entries(FILES)) write(path, content)
  for (const [path, format] of Object.entries(MADE)) {
    const body = {
      select: ['id', 'depth', 'temperature'],
      from: { csv: { paths: ['obs/*.csv'] } },
      output: { format },
    }
    write(path, await bytesOf(url, body))
  }
  for (const [from, to] of COPIED) copyFileSync(join(FIXTURES, from), join(datasets, to))
  // Without SQL there are neither users nor views.
  if (settings['SERVICE_ENABLE_SQL'] === 'false') return
  write('types.parquet', await bytesOf(url, { sql: TYPES_SQL, output: { format: 'parquet' } }))
  const isAnonymous = settings['SERVICE_AUTH_ANONYMOUS_ENABLED'] !== 'false'
  for (const statement of isAnonymous ? [...STATEMENTS, ANONYMOUS] : STATEMENTS)
    await bytesOf(url, { sql: statement })
}

const COPIED = [
  ['bbf/tiny.bbf', 'small.bbf'],
  ['hdf5/optodas.h5', 'fibre.h5'],
  ['tiff/packbits-u16.tif', 'image.tif'],
  ['odv/declared-once.txt', 'stations.txt'],
] as const

async function bytesOf(url: string, body: object): Promise<Uint8Array> {
  const response = await fetch(`${url}/api/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...SUPER_USER },
    body: JSON.stringify(body),
  })
  if (response.status !== 200) throw new Error(`${JSON.stringify(body)}: ${await response.text()}`)
  return new Uint8Array(await response.arrayBuffer())
}
