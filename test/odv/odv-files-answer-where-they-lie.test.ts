import t from 'tap'
import { odvOf, startOdvService } from '../output/odv/odv-service.ts'
import { readArchive } from '../output/odv/read-archive.ts'

const HEADER = [
  '//<Encoding>UTF-8</Encoding>',
  '//<DataField>Ocean</DataField>',
  '//<MetaVariable>label="Cruise" value_type="INDEXED_TEXT" qf_schema="" comment=""</MetaVariable>',
  '//<DataVariable>label="Depth [m]" value_type="FLOAT" qf_schema="ODV" comment="below &quot;0&quot;"</DataVariable>',
  '//<DataVariable>label="Temp [degC]" value_type="DOUBLE" qf_schema="ODV" comment=""</DataVariable>',
].join('\n')

const TITLES = [
  'Cruise',
  'Station',
  'Type',
  'yyyy-mm-ddThh:mm:ss.sss',
  'Longitude [degrees_east]',
  'Latitude [degrees_north]',
  'Depth [m]',
  'QV:ODV',
  'Temp [degC]',
  'QV:ODV:Temp',
].join('\t')

const ROWS = [
  'C1\tS1\tB\t2001-01-02T03:04:05.678\t-10.5\t50\t10\t0\t20.5\t1',
  '\t\t\t\t\t\t20\t0\t19.5\t1',
  'C1\tS2\tB\t2001-02-03\t-11.5\t51\t10\t0\t\t',
].join('\n')

const FILES = {
  'cast.txt': `${HEADER}\n${TITLES}\n${ROWS}\n`,
  'notes.txt': 'just a text\n',
}

const ALL = [
  'Cruise',
  'Station',
  'Longitude',
  'Depth',
  'Depth_qc',
  'Temp',
  'Temp_qc',
  'Temp.units',
  'Depth.comment',
]

const EXPECTED = [
  ['C1', 'S1', -10.5, 10, '0', 20.5, '1', 'degC', 'below "0"'],
  ['C1', 'S1', -10.5, 20, '0', 19.5, '1', 'degC', 'below "0"'],
  ['C1', 'S2', -11.5, 10, '0', null, null, 'degC', 'below "0"'],
].map((row) => Object.fromEntries(ALL.map((name, index) => [name, row[index]])))

async function rowsOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
}

t.test('in JSON and in SQL, with units, flags and comments', async (t) => {
  const { ask } = await startOdvService(t, FILES)
  const output = { format: 'ndjson' }
  t.same(await rowsOf(await ask({ select: ALL, from: { odv: { paths: ['cast.txt'] } }, output })), EXPECTED)
  const columns = ALL.map((name) => `"${name}"`).join()
  for (const read of ['read_odv_ascii', 'read_odv'])
    t.same(await rowsOf(await ask({ sql: `SELECT ${columns} FROM ${read}('cast.txt')`, output })), EXPECTED)
  const written = await rowsOf(
    await ask({
      select: ['Cruise', 'Depth'],
      from: { odv: { paths: ['cast.txt'], carry_metadata: false } },
      output,
    }),
  )
  t.same(written, [
    { Cruise: 'C1', Depth: 10 },
    { Cruise: null, Depth: 20 },
    { Cruise: 'C1', Depth: 10 },
  ])
  const sql = `SELECT "Station", count(*) AS n, sum("Temp") AS sum FROM read_odv('cast.txt', carry_metadata = true) GROUP BY ALL ORDER BY 1`
  t.same(await rowsOf(await ask({ sql, output })), [
    { Station: 'S1', n: 2, sum: 40 },
    { Station: 'S2', n: 1, sum: null },
  ])
  t.same(await rowsOf(await ask({ sql: `SELECT count(*) AS n FROM read_odv('*t.txt')`, output })), [{ n: 3 }])
  const refused = await ask({ sql: `SELECT * FROM read_odv('notes.txt')`, output })
  t.equal(refused.status, 400)
  t.match(await refused.text(), /notes\.txt.*holds CSV, and was read as ODV/)
  const other = await ask({ sql: `SELECT * FROM read_parquet('cast.txt')`, output })
  t.match(await other.text(), /seems to hold ODV: read it with read_odv_ascii/)
})

t.test('many small files are read together, each below its own stations', async (t) => {
  const names = Array.from({ length: 60 }, (_, i) => `many-${String(i).padStart(2, '0')}.txt`)
  const fileOf = (i: number): string => `Cruise\tStation\tDepth [m]\n\t\t0\nC${i}\tS\t1\n\t\t2\n`
  const { ask } = await startOdvService(t, Object.fromEntries(names.map((name, i) => [name, fileOf(i)])))
  const query = { select: ['Cruise', 'Depth'], from: { odv: { paths: ['many-*.txt'] } } }
  t.same(
    await rowsOf(await ask({ ...query, output: { format: 'ndjson' } })),
    names.flatMap((_, i) => [
      { Cruise: null, Depth: 0 },
      { Cruise: `C${i}`, Depth: 1 },
      { Cruise: `C${i}`, Depth: 2 },
    ]),
  )
})

t.test('by their names and in external tables, but not in listings', async (t) => {
  const { ask, get } = await startOdvService(t, FILES)
  const schema = await rowsOf(await get('/api/dataset-schema?file=cast.txt'))
  t.match(JSON.stringify(schema), /"Temp\.units"/)
  t.notMatch(JSON.stringify(await rowsOf(await get('/api/list-datasets'))), /txt/)
  const output = { format: 'ndjson' }
  const create = `CREATE EXTERNAL TABLE casts STORED AS ODV LOCATION 'cast.txt' OPTIONS ('carry_metadata' 'false')`
  t.equal((await ask({ sql: create })).status, 200)
  t.same(await rowsOf(await ask({ sql: 'SELECT "Cruise", "Temp.units" AS u FROM casts', output })), [
    { Cruise: 'C1', u: 'degC' },
    { Cruise: null, u: 'degC' },
    { Cruise: 'C1', u: 'degC' },
  ])
})

t.test('so do our own answers, unpacked', async (t) => {
  const rows = [
    'cruise,lon,lat,time,depth,temp,temp_qc,seen,ship',
    'A1,1.5,50.25,2024-01-02T03:04:05.678,10,20.5,1,2024-05-06T07:08:09,"A ""B"""',
    'A1,1.5,50.25,2024-01-02T03:04:05.678,20,19.5,2,,"A ""B"""',
    'A2,2.5,51.25,2024-01-03T00:00:00,10,,9,2024-05-06T07:08:09,C',
  ]
  const { ask, write } = await startOdvService(t, { 'in.csv': `${rows.join('\n')}\n` })
  const options = {
    key_column: 'cruise',
    qf_schema: 'SEADATANET',
    longitude_column: { column_name: 'lon' },
    latitude_column: { column_name: 'lat' },
    time_column: { column_name: 'time' },
    depth_column: { column_name: 'depth', units: 'm' },
    data_columns: [
      { column_name: 'temp', units: 'degC', qf_column: 'temp_qc', comment: 'a "b" & <c>' },
      { column_name: 'seen' },
    ],
    meta_columns: [{ column_name: 'ship' }],
  }
  const archive = await ask(odvOf(`SELECT * FROM read_csv('in.csv')`, options))
  const files = readArchive(Buffer.from(await archive.arrayBuffer()))
  write('out.txt', files.get('profile.txt') ?? '')
  const sql = `SELECT "Cruise" AS cruise, "Longitude" AS lon, "Latitude" AS lat, "time_ISO8601" AS time, depth, temp, temp_qc, seen, ship,
    "temp.units" AS units, "temp.qf_schema" AS scheme, "temp.comment" AS comment FROM read_odv('out.txt')`
  const described = { units: 'degC', scheme: 'SEADATANET', comment: 'a "b" & <c>' }
  const [one, two] = [
    { cruise: 'A1', lon: 1.5, lat: 50.25, time: '2024-01-02T03:04:05.678', ship: 'A "B"', ...described },
    { cruise: 'A2', lon: 2.5, lat: 51.25, time: '2024-01-03T00:00:00', ship: 'C', ...described },
  ]
  t.same(await rowsOf(await ask({ sql, output: { format: 'ndjson' } })), [
    { ...one, depth: 10, temp: 20.5, temp_qc: '1', seen: '2024-05-06T07:08:09' },
    { ...one, depth: 20, temp: 19.5, temp_qc: '2', seen: null },
    { ...two, depth: 10, temp: null, temp_qc: '9', seen: '2024-05-06T07:08:09' },
  ])
})
