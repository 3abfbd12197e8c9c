import { join } from 'node:path'
import { Float32, Float64, Int32, Table, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { post } from '../http/test-server.ts'
import { fc, generator } from '../support/generate.ts'
import { answersOf } from './answers.ts'
import { writeParquetFile } from './parquet-file.ts'
import { startTestService } from './service.ts'

const ROWS = 4000

/** Places in quarters of a degree, so that many lie on borders, by increasing longitude; and rows without a place. */
const random = generator('places')
const places = Array.from({ length: ROWS }, (_, row) => ({
  longitude: row % 97 === 0 ? null : Math.floor((row / ROWS) * 80) / 4 - 10 + random(2) / 4,
  latitude: row % 89 === 0 ? null : row % 83 === 0 ? Number.NaN : random(40) / 4 - 5,
}))
const table = new Table({
  row: vectorFromArray([...places.keys()], new Int32()),
  longitude: vectorFromArray(
    places.map((place) => place.longitude),
    new Float64(),
  ),
  latitude: vectorFromArray(
    places.map((place) => place.latitude),
    new Float32(),
  ),
})

const service = await startTestService(t)
const { rowsOf, scalarOf, failure } = answersOf(service)
writeParquetFile(join(service.datasets, 'a.parquet'), table, 250)
const FILE = "read_parquet('a.parquet')"

async function planOf(sql: string): Promise<{ readonly isCore: boolean; readonly pruned: number }> {
  const response = await post(`${service.url}/api/explain-analyze-query`, { sql })
  const text = await response.text()
  return { isCore: !text.includes('DuckDB'), pruned: Number(/"units_pruned":(\d+)/.exec(text)?.[1]) }
}

type Ring = readonly (readonly [number, number])[]
type Polygon = readonly Ring[]

const corner = fc.tuple(fc.integer({ min: -44, max: 44 }), fc.integer({ min: -24, max: 24 }))
/** Any corners, so that edges may cross each other: engines have to agree on those too. */
const ring = fc
  .array(corner, { minLength: 3, maxLength: 14 })
  .map((corners): Ring => [...corners, ...corners.slice(0, 1)].map(([x, y]) => [x / 4, y / 4]))
const polygon = fc.array(ring, { minLength: 1, maxLength: 3 })
const geometry = fc.array(polygon, { minLength: 1, maxLength: 3 })

function wktOf(polygons: readonly Polygon[]): string {
  const written = polygons.map(
    (rings) =>
      `(${rings.map((corners) => `(${corners.map(([x, y]) => `${x} ${y}`).join(', ')})`).join(', ')})`,
  )
  const [only = '', ...others] = written
  return others.length === 0 ? `POLYGON${only}` : `MULTIPOLYGON(${written.join(', ')})`
}

t.test('a condition on a polygon passes the same rows in JSON, in the core and in DuckDB', async (t) => {
  const negate = (filter: object, isNot: boolean) => (isNot ? { not: filter } : filter)
  const property = fc.asyncProperty(geometry, fc.boolean(), async (polygons, isNot) => {
    const wkt = wktOf(polygons)
    const geojson = { type: 'MultiPolygon', coordinates: polygons }
    const inJson = await rowsOf({
      select: ['row', 'longitude', 'latitude'],
      from: { parquet: { paths: ['a.parquet'] } },
      filters: [
        negate({ longitude_column: 'longitude', latitude_column: 'latitude', geometry: geojson }, isNot),
      ],
    })
    const expected = inJson.map(({ row }) => row)
    const not = isNot ? 'NOT ' : ''
    const texts = [`'${wkt}'`, `st_geojson_as_wkt('${JSON.stringify(geojson)}')`]
    for (const text of texts) {
      const call = `${not}st_within_point(${text}, longitude, latitude)`
      for (const sql of [
        `SELECT row FROM ${FILE} WHERE ${call}`,
        // DuckDB tests the rows that the scan lets through once more, or all of them.
        `SELECT row + 0 AS row FROM ${FILE} WHERE ${call}`,
        `SELECT row FROM (SELECT row, ${call} AS is_in FROM ${FILE}) WHERE is_in`,
        `SELECT row FROM ${FILE} WHERE ${not}st_within_point(${text} || CASE WHEN row < 0 THEN 'x' ELSE '' END, longitude, latitude)`,
      ])
        t.same(
          (await rowsOf({ sql })).map(({ row }) => row),
          expected,
          sql,
        )
    }
  })
  await fc.assert(property, { numRuns: 12, endOnFailure: true })
})

t.test('a mean in a polygon is one query of the core, which reads what may lie in its box', async (t) => {
  const where = "st_within_point('POLYGON((-9 -4, -6 -4, -6 4, -9 4, -9 -4))', longitude, latitude)"
  const core = await planOf(`SELECT avg(row) AS mean, count(*) AS n FROM ${FILE} WHERE ${where}`)
  t.ok(core.isCore, 'runs in the core')
  t.ok(core.pruned >= 10, `${core.pruned} row groups were left out`)
  const duckdb = await planOf(`SELECT mode(row) AS middle FROM ${FILE} WHERE ${where}`)
  t.ok(!duckdb.isCore && duckdb.pruned >= 10, `DuckDB: ${duckdb.pruned} were left out`)
  t.ok((await planOf(`SELECT count(*) FROM ${FILE} WHERE row > 5 AND NOT ${where}`)).isCore, 'a negation too')
  const joined = await scalarOf(`SELECT count(*) FROM ${FILE} WHERE ${where} AND row >= 0`)
  const inBox = `longitude > -9 AND longitude < -6 AND latitude > -4 AND latitude < 4`
  t.equal(joined, await scalarOf(`SELECT count(*) FROM ${FILE} WHERE ${inBox}`))
})

t.test('polygons may stand in rows: each is tested with its own points', async (t) => {
  const areas = `(VALUES ('west', 'POLYGON((-9 -4, -6 -4, -6 4, -9 4, -9 -4))'), ('east', 'MULTIPOLYGON(((2 -4, 5 -4, 5 4, 2 4, 2 -4)))'),
    ('none', NULL), ('empty', 'POLYGON EMPTY')) AS areas(name, wkt)`
  const rows = await rowsOf({
    sql: `SELECT name, count(*) AS n FROM ${FILE} AS p JOIN ${areas} ON st_within_point(wkt, longitude, latitude) GROUP BY name ORDER BY name`,
  })
  const within = (from: number, to: number) =>
    `SELECT count(*) FROM ${FILE} WHERE longitude > ${from} AND longitude < ${to} AND latitude > -4 AND latitude < 4`
  t.same(rows, [
    { name: 'east', n: await scalarOf(within(2, 5)) },
    { name: 'west', n: await scalarOf(within(-9, -6)) },
  ])
})

t.test('forms of WKT', async (t) => {
  const within = (wkt: string, x = 1, y = 1) => scalarOf(`SELECT st_within_point('${wkt}', ${x}, ${y})`)
  for (const wkt of [
    'polygon((0 0,3 0,3 3,0 3,0 0))',
    ' POLYGON Z ( ( 0 0 1 , 3 0 1,3 3 1,0 3 1,0 0 1 ) ) ',
    'POLYGON ZM((0 0 1 2, 3 0 1 2, 3 3 1 2, 0 3 1 2, 0 0 1 2))',
    'POLYGON((0 0, 3e0 .0, +3. 3, 0 3, 0 0))',
    'GEOMETRYCOLLECTION(POINT(9 9), POLYGON EMPTY, POLYGON((0 0,3 0,3 3,0 3,0 0)))',
    'MULTIPOINT((0 0), (1 1), 3 3)',
    'LINESTRING(0 0, 3 3)',
  ])
    t.equal(await within(wkt), true, wkt)
  for (const wkt of [
    'POLYGON EMPTY',
    'POLYGON((0 0,3 0,3 3,0 3,0 0),(0.5 0.5,2 0.5,2 2,0.5 2,0.5 0.5))',
    'POLYGON((1 0,3 0,3 3,1 3,1 0))',
    'POINT(1 1)',
    'GEOMETRYCOLLECTION EMPTY',
  ])
    t.equal(await within(wkt), false, wkt)
  t.equal(await scalarOf(`SELECT st_within_point(NULL, 1, 1)`), false)
  t.equal(await scalarOf(`SELECT NOT st_within_point('POLYGON((0 0,3 0,3 3,0 0))', NULL, 1)`), true)
})

t.test('a text that is no WKT is a 400 that names the place, whether or not there are rows', async (t) => {
  const cases: readonly (readonly [wkt: string, told: RegExp])[] = [
    ['SRID=4326;POLYGON((0 0,3 0,3 3,0 0))', /character 1 of the WKT: WKT has no SRID/],
    ['POLYGN((0 0,3 0,3 3,0 0))', /character 1 .* did you mean "POLYGON"\?/],
    ['POLYGON((0 0,3 x,3 3,0 0))', /character 16 of the WKT: expected a number, found "x,3 3,0 0\)\)"/],
    ['POLYGON((0 0,3 0,3 3))', /character 9 .*: a ring needs at least four positions/],
    ['POLYGON((0 0,3 0,3 3,1 1))', /character 9 .*: a ring must end with its first position/],
    ['POLYGON((0 0,3 0,3 3,0 0)', /character 26 .* "," or "\)", found the end of the text/],
    ['POLYGON((0 0,3 0,3 3,0 0)) x', /character 28 .* expected the end of the text/],
    ['', /character 1 .* expected POINT, .*, found the end of the text/],
    ['POLYGON((0 0,1e999 0,3 3,0 0))', /1e999 is no finite number/],
  ]
  for (const [wkt, told] of cases)
    for (const sql of [
      `SELECT count(*) FROM ${FILE} WHERE st_within_point('${wkt}', longitude, latitude)`,
      `SELECT count(*) FROM ${FILE} WHERE row < 0 AND st_within_point('${wkt}', longitude, latitude)`,
    ])
      t.match(await failure({ sql }), told, wkt)
  t.match(
    await failure({
      sql: `SELECT st_geojson_as_wkt('{"type": "Polygon", "coordinates": [[[0, 0], [1, "x"]]]}')`,
    }),
    /st_geojson_as_wkt: \$\.coordinates\[0\]\[1\]\[1\]: expected a finite number/,
  )
  t.match(
    await failure({ sql: `SELECT count(*) FROM ${FILE} WHERE st_within_point('POINT(0 0)', 'a', latitude)` }),
    /a/,
  )
})

t.test('JSON calls them too', async (t) => {
  const [row] = await rowsOf({
    select: [
      {
        function: 'st_within_point',
        args: [{ value: 'POLYGON((-9 -4, -6 -4, -6 4, -9 -4))' }, 'longitude', 'latitude'],
        alias: 'is_in',
      },
    ],
    from: { parquet: { paths: ['a.parquet'] } },
    limit: 1,
  })
  t.type(row?.['is_in'], 'boolean')
})
