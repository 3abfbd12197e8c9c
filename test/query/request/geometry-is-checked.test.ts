import t from 'tap'
import type { JsonRequest } from '../../../src/main/query/request/request.ts'
import { errorOf, parse, planOf } from '../bound.ts'

const read = (geometry: unknown) => {
  const filter = { longitude_column: 'x', latitude_column: 'y', geometry }
  const [within] = (parse(JSON.stringify({ select: ['x'], filter })) as JsonRequest).filters
  return within?.kind === 'within' ? within.geometry : null
}
const error = (geometry: unknown) => errorOf(() => read(geometry))

const ring = [
  [0, 0],
  [4, 0],
  [4, 3],
  [0, 0],
]

t.test('every GeoJSON geometry, flattened', async (t) => {
  const empty = { polygons: [], lines: [], points: new Float64Array() }
  t.same(read({ type: 'Point', coordinates: [1, 2, 99] }), {
    ...empty,
    points: Float64Array.of(1, 2),
    box: [1, 2, 1, 2],
  })
  t.same(
    read({
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [2, 2],
          [3, -3],
        ],
      ],
      bbox: [],
    }),
    {
      ...empty,
      lines: [Float64Array.of(0, 0, 1, 1), Float64Array.of(2, 2, 3, -3)],
      box: [0, -3, 3, 3].with(3, 2),
    },
  )
  t.same(read({ type: 'Polygon', coordinates: [ring] }), {
    ...empty,
    polygons: [[Float64Array.from(ring.flat())]],
    box: [0, 0, 4, 3],
  })
  const collection = read({
    type: 'GeometryCollection',
    geometries: [
      { type: 'MultiPoint', coordinates: [[9, 9]] },
      {
        type: 'GeometryCollection',
        geometries: [
          {
            type: 'LineString',
            coordinates: [
              [0, 0],
              [1, 1],
            ],
          },
        ],
      },
      { type: 'MultiPolygon', coordinates: [[ring], [], [ring, ring]] },
    ],
  })
  t.match(collection, {
    polygons: { length: 2 },
    lines: { length: 1 },
    points: { length: 2 },
    box: [0, 0, 9, 9],
  })
  t.match(read({ type: 'Polygon', coordinates: [] }), {
    polygons: { length: 0 },
    box: [Number.POSITIVE_INFINITY],
  })
})

t.test('what is no geometry is told where', async (t) => {
  t.equal(
    error('POINT(0 0)'),
    'invalid_query: filter.geometry: expected GeoJSON, as in {"type": "Point", "coordinates": [-30, 45]}, found "POINT(0 0)"',
  )
  t.match(
    error({ type: 'Feature' }),
    /filter.geometry.type: expected Point, .* or GeometryCollection, found "Feature"; the geometry is the member/,
  )
  t.match(
    error({ type: 'Point', coordinates: [1] }),
    /coordinates: a position needs a longitude and a latitude/,
  )
  t.match(
    error({ type: 'Point', coordinates: [1, 'a'] }),
    /coordinates\[1\]: expected a finite number, found "a"/,
  )
  t.match(
    error({ type: 'Point', coordinates: [1, JSON.rawJSON('1e999')] }),
    /expected a finite number, found 1e999/,
  )
  t.match(error({ type: 'LineString', coordinates: [[0, 0]] }), /a line needs at least two positions/)
  t.match(
    error({ type: 'Polygon', coordinates: [ring.slice(1)] }),
    /coordinates\[0\]: a ring needs at least four/,
  )
  const open = [...ring.slice(0, 3), [1, 1]]
  t.match(
    error({ type: 'Polygon', coordinates: [ring, open] }),
    /coordinates\[1\]: a ring must end with its first/,
  )
  t.match(
    error({ type: 'MultiPoint', coordinates: Array(100_001).fill([0, 0]) }),
    /may have 100000 positions/,
  )
})

t.test('the coordinates must be columns of numbers', async (t) => {
  const plan = (x: object) =>
    errorOf(() =>
      planOf(
        {
          select: ['x', { value: 1, alias: 'one' }],
          filter: { latitude_column: 'y', geometry: { type: 'Polygon', coordinates: [ring] }, ...x },
        },
        { x: { kind: 'utf8' }, y: { kind: 'float', bits: 32 } },
      ),
    )
  t.equal(plan({ longitude_column: 'y' }), 'no error')
  t.equal(
    plan({ longitude_column: 'x' }),
    'type_mismatch: filter: column "x" is Utf8; a coordinate must be an integer or a float',
  )
  t.match(plan({ longitude_column: 'one' }), /^not_supported: filter: "one" is a literal/)
  t.equal(plan({}), 'invalid_query: filter: "longitude_column" is missing')
})
