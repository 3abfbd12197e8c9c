import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { post, SUPER_USER } from '../../http/test-server.ts'
import { runPython, skipWithout } from '../../support/python.ts'
import { untilSettled } from '../../support/settled.ts'
import { startTestService } from '../service.ts'
import { describedFile } from './described-file.ts'

const service = await startTestService(t)

const LAT = { units: 'degrees_north', standard_name: 'latitude' }
const LON = { units: 'degrees_east' }
const SST = { units: 'kelvin', long_name: 'surface temperature', resolution: 0.25 }
const FILE = describedFile({
  variables: {
    lat: { ...LAT, bounds: 'lat_bnds' },
    lon: LON,
    time: { units: 'days since 2020-01-01', calendar: 'standard', long_name: 'time of day', valid_max: 9 },
    sst: { ...SST, coordinates: 'time', history: 'made today', _FillValue: -1, flag_values: [1, 2] },
    ice: {
      units: '1',
      scale_factor: 0.5,
      valid_min: 0,
      missing_value: -9,
      'ARROW:extension:name': 'arrow.uuid',
      'PARQUET:field_id': '7',
    },
    plain: {},
  },
  packed: ['ice'],
  attributes: { title: 'a file' },
})

async function write(path: string, bytes: Buffer): Promise<void> {
  const location = join(service.datasets, path)
  mkdirSync(join(location, '..'), { recursive: true })
  writeFileSync(location, bytes)
  await untilSettled(location)
}

await write('a.nc', FILE)
const FROM = "read_netcdf('a.nc')"
const IN_JSON = { netcdf: { paths: ['a.nc'] } }
/** What no plan of the core has, so that DuckDB runs the statement. */
const BY_DUCKDB = 'chr(65) AS by_duckdb'

type Metadata = Readonly<Record<string, string>>

/** The metadata of each column of an answer that is no attribute, by name. Those without any are left out. */
async function metadataOf(body: object): Promise<Readonly<Record<string, Metadata>>> {
  const { schema } = await service.rows(body)
  return Object.fromEntries(
    schema.fields.flatMap(({ name, metadata }) =>
      metadata.size === 0 || metadata.has('halocline:attribute')
        ? []
        : [[name, Object.fromEntries(metadata)] as const],
    ),
  )
}

async function run(sql: string): Promise<void> {
  const { status } = await post(`${service.url}/api/query`, { sql }, SUPER_USER)
  if (status !== 200) throw new Error(`${status}: ${sql}`)
}

const SST_OF_MANY = { ...SST, resolution: '0.25' }

/** With the list that one file has. */
const SST_TEXT = {
  ...SST_OF_MANY,
  flag_values: '1, 2',
  'halocline:attribute_lists': '{"flag_values":"Float64"}',
}
const TIME = { long_name: 'time of day' }

t.test('columns in SQL and JSON, unchanged and renamed', async (t) => {
  const all = { lat: LAT, lon: LON, time: TIME, sst: SST_TEXT, ice: { units: '1' } }
  t.same(await metadataOf({ sql: `SELECT * FROM ${FROM}` }), all)
  t.same(
    await metadataOf({ select: ['lat', 'lon', 'time', 'sst', 'ice', 'plain', 'sst.units'], from: IN_JSON }),
    all,
  )
  t.same(await metadataOf({ sql: `SELECT sst AS a, LAT, "sst.units" FROM ${FROM} ORDER BY lon LIMIT 2` }), {
    a: SST_TEXT,
    lat: LAT,
  })
  const select = [{ column: 'sst', alias: 'a' }, { function: 'abs', args: ['sst'], alias: 'b' }, 'lat']
  t.same(await metadataOf({ select, from: IN_JSON }), { a: SST_TEXT, lat: LAT })
  const distinct = { on: ['lat'], select: ['lat', 'sst'] }
  t.same(await metadataOf({ select: ['lat', 'sst'], from: IN_JSON, distinct }), { lat: LAT, sst: SST_TEXT })
})

t.test('keys and aggregates in the units of their argument', async (t) => {
  const list = 'min(sst) AS a, max(sst) AS b, avg(sst) AS c, mean(ice) AS d'
  const others = 'count(sst), count(*), sum(sst), stddev(sst), var_pop(sst), count(DISTINCT sst)'
  const found = { lat: LAT, a: SST_TEXT, b: SST_TEXT, c: SST_TEXT, d: { units: '1' } }
  t.same(await metadataOf({ sql: `SELECT lat, ${list}, ${others} FROM ${FROM} GROUP BY lat` }), found)
  t.same(
    await metadataOf({ sql: `SELECT ${others}, ${list}, lat FROM ${FROM} GROUP BY ALL HAVING max(lon) > 0` }),
    found,
  )
  t.same(await metadataOf({ sql: `SELECT count(*) AS n FROM (SELECT sst FROM ${FROM})` }), {})
})

t.test('through views, tables and sub-selects', async (t) => {
  await run(`CREATE VIEW seen AS SELECT sst AS warmth, lat AS y, ice FROM ${FROM} WHERE lon > 0`)
  await run("CREATE EXTERNAL TABLE stored STORED AS NETCDF LOCATION 'a.nc'")
  const found = { warmth: SST_TEXT, y: LAT }
  t.same(await metadataOf({ sql: 'SELECT warmth, y FROM seen' }), found)
  t.same(await metadataOf({ sql: 'SELECT y, max(warmth) AS warmth FROM seen GROUP BY y' }), found)
  t.same(await metadataOf({ select: ['warmth', 'y'], from: 'seen' }), found)
  const ordered = { select: ['warmth', { function: 'abs', args: ['y'] }, 'y'], from: 'seen' }
  t.same(await metadataOf(ordered), found)
  t.same(await metadataOf({ sql: `SELECT b FROM (SELECT sst AS a, lat AS b FROM ${FROM})` }), { b: LAT })
  t.same(await metadataOf({ sql: `SELECT * FROM (SELECT lat, max(sst) AS m FROM ${FROM} GROUP BY lat)` }), {
    lat: LAT,
    m: SST_TEXT,
  })
  t.same(await metadataOf({ sql: 'SELECT sst, lat AS y FROM stored' }), { sst: SST_TEXT, y: LAT })
  t.same(await metadataOf({ select: ['sst', 'lat'], from: 'stored' }), { sst: SST_TEXT, lat: LAT })
})

t.test('attributes in which files differ are left out', async (t) => {
  const variables = { lat: LAT, lon: LON }
  await write('many/1.nc', describedFile({ variables: { ...variables, sst: SST, depth: { units: 'm' } } }))
  await write('many/2.nc', describedFile({ variables: { ...variables, sst: { ...SST, units: 'celsius' } } }))
  const { units: _, ...without } = SST
  await write('few/1.nc', describedFile({ variables: { ...variables, sst: SST } }))
  await write('few/2.nc', describedFile({ variables: { ...variables, sst: without } }))
  const { units: _units, ...shared } = SST_OF_MANY
  for (const folder of ['many', 'few'])
    for (const [name, query] of Object.entries({
      sql: { sql: `SELECT lat, sst FROM read_netcdf('${folder}/*.nc')` },
      union: {
        sql: `SELECT lat, sst FROM read_netcdf('${folder}/1.nc', attributes := false) UNION ALL SELECT lat, sst FROM read_netcdf('${folder}/2.nc', attributes := false)`,
      },
      json: { select: ['lat', 'sst'], from: { netcdf: { paths: [`${folder}/*.nc`] } } },
    })) {
      const found = await metadataOf(query)
      if (name === 'union' && folder === 'many') continue
      t.same(found, { lat: LAT, sst: shared }, `${name} of ${folder}`)
    }
  t.same(await metadataOf({ sql: "SELECT depth FROM read_netcdf('many/*.nc')" }), { depth: { units: 'm' } })
})

t.test('in statements that DuckDB runs', async (t) => {
  const found = async (sql: string) => metadataOf({ sql })
  const keeping = {
    'median(sst)': SST_TEXT,
    'quantile_cont(sst, 0.9)': SST_TEXT,
    'approx_quantile(sst, 0.5)': SST_TEXT,
    'percentile_cont(0.5) WITHIN GROUP (ORDER BY sst)': SST_TEXT,
    'first(sst ORDER BY time)': SST_TEXT,
    'last(sst)': SST_TEXT,
    'min(DISTINCT sst) FILTER (WHERE lon > 0)': SST_TEXT,
    'g.lat': LAT,
    '"lat"': LAT,
    'sst + 1': null,
    'sst::FLOAT': null,
    'sum(sst)': null,
    'count(sst)': null,
    'coalesce(sst, ice)': null,
    'arg_max(time, sst)': null,
    'CASE WHEN sst IS DISTINCT FROM ice THEN sst END': null,
    'max(sst - 1)': null,
    'extract(year FROM time)': null,
  }
  for (const [value, expected] of Object.entries(keeping)) {
    const group = value.includes('(') || value.includes('lat') ? ' GROUP BY ALL' : ''
    const own = expected === null ? {} : { a: expected }
    t.same(await found(`SELECT ${BY_DUCKDB}, ${value} AS a FROM ${FROM} AS g${group}`), own, value)
  }
  t.same(
    await found(`SELECT lat AS y, median(sst) AS m, date_trunc('day', time) AS d FROM ${FROM} GROUP BY ALL`),
    {
      y: LAT,
      m: SST_TEXT,
    },
  )
  t.same(await found(`SELECT *, ${BY_DUCKDB} FROM read_netcdf('a.nc', attributes := false)`), {
    lat: LAT,
    lon: LON,
    time: TIME,
    sst: SST_TEXT,
    ice: { units: '1' },
  })
  t.same(await found(`SELECT * EXCLUDE (lat, ice), ${BY_DUCKDB} FROM ${FROM} WHERE time IS NOT NULL`), {
    lon: LON,
    time: TIME,
    sst: SST_TEXT,
  })
  t.same(await found(`SELECT ${BY_DUCKDB}, * REPLACE (sst + 1 AS sst) FROM ${FROM}`), {})
  t.same(
    await found(
      `WITH w AS (SELECT sst AS a, lat + 1 AS sst, lat FROM ${FROM}) SELECT a, sst, lat AS b, ${BY_DUCKDB} FROM w`,
    ),
    {
      a: SST_TEXT,
      b: LAT,
    },
  )
  t.same(
    await found(`SELECT a.sst, b.ice AS i, lat, a.lat AS l FROM ${FROM} AS a JOIN ${FROM} AS b USING (lat)`),
    {
      sst: SST_TEXT,
      i: { units: '1' },
      l: LAT,
    },
  )
  t.same(
    await found(
      `SELECT warmth, max(y) OVER () AS m, upper('a') FROM seen AS s LEFT JOIN (SELECT 1 AS warm) ON true`,
    ),
    {
      warmth: SST_TEXT,
      m: LAT,
    },
  )
  t.same(
    await found(`SELECT sst, lat FROM stored WHERE chr(65) = 'A' AND sst > (SELECT avg(ice) FROM stored)`),
    {
      sst: SST_TEXT,
      lat: LAT,
    },
  )
  // Another relation with these names.
  t.same(
    await found(`SELECT lat, sst FROM (VALUES (1, 2)) AS v(lat, sst), (SELECT max(lon) FROM ${FROM}) AS g`),
    {},
  )
  t.same(
    await found(
      `SELECT sst FROM (SELECT ice AS sst, lat FROM ${FROM} UNION ALL SELECT sst, lat FROM ${FROM})`,
    ),
    {},
  )
  t.same(
    await found(`WITH stored AS (SELECT lat AS sst FROM ${FROM} ORDER BY chr(65)) SELECT sst FROM stored`),
    { sst: LAT },
  )
})

t.test('files that came after the columns of their table were stored', async (t) => {
  const variables = { lat: LAT, lon: LON, sst: SST }
  await write('growing/1.nc', describedFile({ variables }))
  await run("CREATE EXTERNAL TABLE growing STORED AS NETCDF LOCATION 'growing'")
  t.same(await metadataOf({ sql: 'SELECT sst FROM growing' }), { sst: SST_OF_MANY })
  await write(
    'growing/2.nc',
    describedFile({ variables: { ...variables, sst: { ...SST, units: 'celsius' } } }),
  )
  const { units: _, ...shared } = SST_OF_MANY
  for (const query of [
    { sql: 'SELECT sst FROM growing' },
    { select: ['sst'], from: 'growing' },
    { sql: `SELECT sst, ${BY_DUCKDB} FROM growing` },
  ])
    t.same(await metadataOf(query), { sst: shared })
  const called = (name: string) => ({
    select: ['sst', { function: name, args: ['sst'], alias: 'x' }],
    from: 'growing',
  })
  t.same(await metadataOf(called('abs')), { sst: shared }, 'a function in JSON that the core computes')
  t.same(await metadataOf(called('even')), {}, 'one that DuckDB computes: they are not known to agree')
})

t.test('more attributes than an answer should have', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a${index}`, 'x'.repeat(40)]))
  await write(
    'hostile.nc',
    describedFile({
      variables: {
        lat: LAT,
        lon: LON,
        sst: { ...many, units: 'kelvin' },
        large: { comment: 'y'.repeat(1 << 20), units: 'm' },
        odd: { __proto__: 'p', constructor: 'c', ünits: 'µm' } as Readonly<Record<string, string>>,
      },
    }),
  )
  const found = await metadataOf({
    sql: "SELECT lat, sst, large, odd FROM read_netcdf('hostile.nc', attributes := false)",
  })
  t.same(found['large'], { units: 'm' })
  t.ok(JSON.stringify(found['sst']).length < 8192)
  t.same(found['lat'], LAT)
  t.equal(found['odd']?.['constructor'], 'c')
  t.equal(found['odd']?.['ünits'], 'µm')
})

t.test('Parquet and Arrow files have them', { skip: skipWithout('pyarrow') }, async (t) => {
  const READ = `
import json, sys, pyarrow.parquet, pyarrow.ipc
found = {}
for name, read in [('parquet', pyarrow.parquet.read_schema), ('arrow', lambda path: pyarrow.ipc.open_file(path).schema)]:
    schema = read(f'{sys.argv[1]}.{name}')
    found[name] = {field.name: {key.decode(): value.decode() for key, value in (field.metadata or {}).items() if key != b'PARQUET:field_id'} for field in schema}
print(json.dumps(found))
`
  const sql = `SELECT lat, max(sst) AS m, count(*) AS n, first(ice) AS i FROM ${FROM} GROUP BY lat`
  const path = join(service.dataDir, 'answer')
  for (const format of ['parquet', 'arrow']) {
    const response = await service.query({ sql, output: { format } })
    t.equal(response.status, 200)
    writeFileSync(`${path}.${format}`, Buffer.from(await response.arrayBuffer()))
  }
  const expected = { lat: LAT, m: SST_TEXT, n: {}, i: { units: '1' } }
  t.same(JSON.parse(await runPython(READ, [path])), { parquet: expected, arrow: expected })
})
