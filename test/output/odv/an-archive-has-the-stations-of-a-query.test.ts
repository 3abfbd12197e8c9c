import t from 'tap'
import { OPTIONS, odvOf, startOdvService } from './odv-service.ts'
import { readArchive, readSpreadsheet } from './read-archive.ts'

/** Stations of each kind, in no order. */
const ROWS = `cruise,time,lon,lat,depth,temp,temp_qc,ship
P1,2024-01-01T00:00:00,5.5,60.0,20,8.25,1,"Håkon ""M"""
T1,2024-02-01T00:00:02,1.0,50.5,3,11.5,1,
P1,2024-01-01T00:00:00,5.5,60.0,10,8.5,2,"Håkon ""M"""
S1,2024-03-01T12:00:00.5,2.0,51.0,1,,9,x
T1,2024-02-01T00:00:01,1.5,50.0,3,11.25,1,
E1,2024-04-01T00:00:00,0.0,1.0,5,1.0,1,
S1,2024-03-01T11:00:00,2.0,51.0,1,7.0,1,x
E1,2024-04-01T00:00:01,0.5,1.0,6,2.0,1,
,2024-05-01T00:00:00,3.0,3.0,,4.0,1,
`
const { ask, temporaryFiles } = await startOdvService(t, { 'rows.csv': ROWS })
const FROM = "FROM read_csv('rows.csv')"

const FLAGGED = {
  ...OPTIONS,
  data_columns: [{ column_name: 'temp', units: 'degC', qf_column: 'temp_qc', comment: 'a "b" & <c>' }],
  meta_columns: [{ column_name: 'ship' }],
}

async function archiveOf(sql: string, options: Readonly<Record<string, unknown>> = OPTIONS) {
  const answer = await ask(odvOf(sql, options))
  const body = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 200) throw new Error(body.toString())
  return { answer, body, files: readArchive(body) }
}

const COLUMNS =
  'Cruise\tStation\tType\tyyyy-MM-ddTHH:mm:ss.SSS\tLongitude [degrees east]\tLatitude [degrees north]\ttime_ISO8601\tdepth [m]'

t.test('text of each kind of station', async (t) => {
  const { answer, files } = await archiveOf(`SELECT * ${FROM}`, FLAGGED)
  t.equal(answer.headers.get('content-type'), 'application/zip')
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename="output.zip"')
  t.ok(Number(answer.headers.get('content-length')) > 0)
  const variable = (kind: string, label: string, type: string, more = '', comment = '') =>
    `//<${kind}>label="${label}" value_type="${type}" qf_schema="SEADATANET" comment="${comment}"${more}</${kind}>`
  const head = (type: string, isByTime: boolean) => [
    '//<Encoding>UTF-8</Encoding>',
    '//<DataField>Ocean</DataField>',
    `//<DataType>${type}</DataType>`,
    '//',
    variable('MetaVariable', 'Cruise', 'INDEXED_TEXT'),
    variable('MetaVariable', 'Station', 'INDEXED_TEXT'),
    variable('MetaVariable', 'Type', 'TEXT:2'),
    variable('MetaVariable', 'Longitude [degrees east]', 'FLOAT'),
    variable('MetaVariable', 'Latitude [degrees north]', 'FLOAT'),
    variable('MetaVariable', 'ship', 'INDEXED_TEXT'),
    '//',
    variable('DataVariable', 'depth [m]', 'INTEGER', ` is_primary_variable="${isByTime ? 'F' : 'T'}"`),
    variable('DataVariable', 'time_ISO8601', 'DOUBLE', ` is_primary_variable="${isByTime ? 'T' : 'F'}"`),
    variable('DataVariable', 'temp [degC]', 'FLOAT', '', 'a &quot;b&quot; &amp; &lt;c&gt;'),
    '//',
  ]
  const titles = `${COLUMNS}\ttemp [degC]\tQV:SEADATANET:temp [degC]\tship`
  const ship = '"Håkon ""M"""'
  const time = (text: string) => `${text}.000`
  t.same(
    [...files],
    [
      [
        'profile.txt',
        [
          ...head('Profiles', false),
          titles,
          `P1\t1\t*\t${time('2024-01-01T00:00:00')}\t5.5\t60.0\t${time('2024-01-01T00:00:00')}\t10\t8.5\t2\t${ship}`,
          `P1\t1\t*\t${time('2024-01-01T00:00:00')}\t5.5\t60.0\t${time('2024-01-01T00:00:00')}\t20\t8.25\t1\t${ship}`,
          `\t1\t*\t${time('2024-05-01T00:00:00')}\t3.0\t3.0\t${time('2024-05-01T00:00:00')}\t\t4.0\t1\t`,
          '',
        ].join('\n'),
      ],
      [
        'timeseries.txt',
        [
          ...head('TimeSeries', true),
          titles,
          `S1\t1\t*\t${time('2024-03-01T11:00:00')}\t2.0\t51.0\t${time('2024-03-01T11:00:00')}\t1\t7.0\t1\tx`,
          'S1\t1\t*\t2024-03-01T12:00:00.500\t2.0\t51.0\t2024-03-01T12:00:00.500\t1\t\t9\tx',
          '',
        ].join('\n'),
      ],
      [
        'trajectories.txt',
        [
          ...head('Trajectories', true),
          titles,
          `T1\t1\t*\t${time('2024-02-01T00:00:01')}\t1.5\t50.0\t${time('2024-02-01T00:00:01')}\t3\t11.25\t1\t`,
          `T1\t2\t*\t${time('2024-02-01T00:00:02')}\t1.0\t50.5\t${time('2024-02-01T00:00:02')}\t3\t11.5\t1\t`,
          '',
        ].join('\n'),
      ],
      [
        'errors.txt',
        [
          ...head('Error', false),
          titles,
          `E1\t1\t*\t${time('2024-04-01T00:00:00')}\t0.0\t1.0\t${time('2024-04-01T00:00:00')}\t5\t1.0\t1\t`,
          `E1\t1\t*\t${time('2024-04-01T00:00:01')}\t0.5\t1.0\t${time('2024-04-01T00:00:01')}\t6\t2.0\t1\t`,
          '',
        ].join('\n'),
      ],
    ],
  )
})

t.test('each compression holds the same, and the same bytes each time', async (t) => {
  const { files } = await archiveOf(`SELECT * ${FROM}`)
  for (const compression of ['Stored', 'Deflate', 'Zstd']) {
    const options = { ...OPTIONS, compression }
    const first = await archiveOf(`SELECT * ${FROM}`, options)
    t.same([...first.files], [...files], compression)
    const again = await archiveOf(`SELECT * ${FROM} WHERE 1 = 1`, options)
    t.ok(again.body.equals(first.body), compression)
  }
})

t.test('no rows: comments only', async (t) => {
  const { files } = await archiveOf(`SELECT * ${FROM} WHERE temp > 1000`)
  t.same([...files.keys()], ['profile.txt', 'timeseries.txt', 'trajectories.txt', 'errors.txt'])
  for (const [name, text] of files) t.match(text, /^(?:\/\/.*\n)+$/, name)
})

t.test('a column of feature types, and series of profiles', async (t) => {
  const sql = `SELECT *, CASE cruise WHEN 'E1' THEN 'trajectoryProfile' WHEN 'S1' THEN 'timeSeriesProfile'
    WHEN 'P1' THEN 'trajectory' ELSE 'Profile' END AS feature ${FROM}`
  const { files } = await archiveOf(sql, { ...OPTIONS, feature_type_column: 'feature' })
  const keys = (name: string) =>
    readSpreadsheet(files.get(name) ?? '').rows.map(({ Cruise, Station }) => `${Cruise} ${Station}`)
  t.same(keys('profile.txt'), ['E1[+0] 1', 'E1[+1] 1', 'S1[+0] 1', 'S1[+1] 1', ' 1'])
  t.same(keys('trajectories.txt'), ['P1 1', 'P1 2', 'T1 1', 'T1 2'])
})

t.test('a station longer than a run', async (t) => {
  const sql = `SELECT 'long' AS cruise, TIMESTAMP '2024-01-01' + INTERVAL (i) SECOND AS time, i / 1000.0::DOUBLE AS lon,
    50.0::DOUBLE AS lat, 3 AS depth, i AS temp FROM range(100000) numbers(i)`
  const { files } = await archiveOf(sql)
  const { rows } = readSpreadsheet(files.get('trajectories.txt') ?? '')
  t.equal(rows.length, 100_000)
  t.ok(rows.every(({ Station }, index) => Station === String(index + 1)))
  t.equal(readSpreadsheet(files.get('profile.txt') ?? '').rows.length, 0)
})

t.test('a JSON query, and columns that replace the generated ones', async (t) => {
  const answer = await ask({
    select: ['cruise', 'time', 'lon', 'lat', 'depth', 'temp', { column: 'ship', alias: 'Station' }],
    from: { csv: { paths: ['rows.csv'] } },
    output: { format: { odv: { ...OPTIONS, meta_columns: [{ column_name: 'Station' }] } } },
  })
  t.equal(answer.status, 200)
  const files = readArchive(Buffer.from(await answer.arrayBuffer()))
  const { titles, rows } = readSpreadsheet(files.get('timeseries.txt') ?? '')
  t.equal(titles.filter((title) => title === 'Station').length, 1)
  t.same(
    rows.map(({ Station }) => Station),
    ['x', 'x'],
  )
})

t.test('what cannot be written is a 400 before a row is read', async (t) => {
  const message = async (sql: string, options: Readonly<Record<string, unknown>>) => {
    const answer = await ask(odvOf(sql, options))
    t.equal(answer.status, 400)
    return String(await answer.json())
  }
  t.match(
    await message(`SELECT * ${FROM}`, { ...OPTIONS, key_column: 'Cruise' }),
    'output.format.odv.key_column: there is no column "Cruise" in the answer, did you mean "cruise"?',
  )
  t.match(
    await message(`SELECT * ${FROM}`, {
      ...OPTIONS,
      data_columns: [{ column_name: 'temp', qf_column: 'temp_qf' }],
    }),
    'output.format.odv.data_columns[0].qf_column: there is no column "temp_qf"',
  )
  t.match(
    await message(`SELECT * REPLACE (temp::DECIMAL(9, 2) AS temp) ${FROM}`, OPTIONS),
    'column "temp" has the type Decimal128(9, 2), which the ODV format has no form for; cast it in SQL: CAST("temp" AS DOUBLE)',
  )
  t.match(
    await message(`SELECT * REPLACE (time::DATE AS time) ${FROM}`, OPTIONS),
    'column "time" has the type Date32, which is no timestamp; cast it in SQL: CAST("time" AS TIMESTAMP)',
  )
  t.match(await message(`SELECT * REPLACE ('x' AS lon) ${FROM}`, OPTIONS), 'CAST("lon" AS DOUBLE)')
  t.match(
    await message(`SELECT *, [1] AS list ${FROM}`, { ...OPTIONS, meta_columns: [{ column_name: 'list' }] }),
    'leave it out',
  )
  t.match(
    await message(`SELECT *, 1 AS "Cruise" ${FROM}`, {
      ...OPTIONS,
      meta_columns: [{ column_name: 'Cruise' }],
    }),
    'two columns have the title "Cruise"',
  )
  t.match(
    await message(`SELECT * ${FROM}`, { ...OPTIONS, qf_schema: 'a\nb' }),
    'output.format.odv.qf_schema: "a\\nb" has a control character',
  )
})

t.test('nothing is left of the files', async (t) => {
  t.same(temporaryFiles(), [])
})
