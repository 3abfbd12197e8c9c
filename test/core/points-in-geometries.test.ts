import t from 'tap'
import type { Geometry } from '../../src/plan/geometry/geometry.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import type { Column } from '../../src/wasm/core/column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { bitmap, place } from './c-array.ts'

const core = createCore({ maximumBytes: 16 << 20 })
const f64: DataType = { kind: 'float', bits: 64 }
const i32: DataType = { kind: 'int', bits: 32, signed: true }

const EMPTY: Geometry = { polygons: [], lines: [], points: new Float64Array(), box: [0, 0, 10, 10] }
const square = (from: number, to: number) =>
  Float64Array.of(from, from, to, from, to, to, from, to, from, from)

/** Which of the points a geometry holds. */
function holds(geometry: Geometry, points: readonly (readonly [number | null, number | null])[]): boolean[] {
  const load = (index: 0 | 1): Column => {
    const values = points.map((point) => point[index])
    const placed = place({
      format: 'g',
      length: values.length,
      buffers: [
        bitmap(values.map((value) => value !== null)),
        Float64Array.from(values, (value) => value ?? 5),
      ],
    })
    return core.importArray(placed.memory, placed.array, placed.schema, f64)
  }
  const [x, y] = [load(0), load(1)]
  const mask = core.within(x, f64, y, f64, geometry)
  const rows = points.length
  const result = points.map(
    (_, row) =>
      core.advance(mask, rows, row, 1).row === row + 1 && core.advance(mask, rows, row, 1).skipped === 1,
  )
  const unknown = core.not(mask)
  t.equal(core.count(mask) + core.count(unknown), rows, 'never unknown')
  return result
}

t.test('a polygon holds its interior, not its edges, corners or holes', async (t) => {
  const geometry = { ...EMPTY, polygons: [[square(0, 10), square(4, 6)]] }
  const points = [
    [1, 1],
    [5, 5],
    [4, 5],
    [6, 6],
    [0, 5],
    [10, 10],
    [3.999, 5],
    [11, 5],
    [5, -1],
  ] as const
  t.same(holds(geometry, points), [true, false, false, false, false, false, true, false, false])
})

t.test('null and NaN coordinates are outside', async (t) => {
  const geometry = { ...EMPTY, polygons: [[square(0, 10)]] }
  t.same(
    holds(geometry, [
      [null, 5],
      [5, null],
      [Number.NaN, 5],
      [5, 5],
    ]),
    [false, false, false, true],
  )
})

t.test('any member of several is enough', async (t) => {
  const geometry = { ...EMPTY, polygons: [[square(1, 3)], [square(3, 5)]] }
  t.same(
    holds(geometry, [
      [2, 2],
      [4, 4],
      [3, 3],
      [2, 4],
    ]),
    [true, true, false, false],
  )
})

t.test('a line holds the points on it but its ends, unless it is closed', async (t) => {
  const open = { ...EMPTY, lines: [Float64Array.of(1, 1, 4, 4, 4, 8)] }
  t.same(
    holds(open, [
      [1, 1],
      [2, 2],
      [4, 4],
      [4, 6],
      [4, 8],
      [2, 3],
    ]),
    [false, true, true, true, false, false],
  )
  const closed = { ...EMPTY, lines: [square(1, 4)] }
  t.same(
    holds(closed, [
      [1, 1],
      [2, 1],
      [2, 2],
    ]),
    [true, true, false],
  )
})

t.test('points are themselves', async (t) => {
  const geometry = { ...EMPTY, points: Float64Array.of(1, 2, 3, 4) }
  t.same(
    holds(geometry, [
      [1, 2],
      [3, 4],
      [1, 4],
    ]),
    [true, true, false],
  )
})

t.test('the box is strict and comes first', async (t) => {
  const geometry = { ...EMPTY, points: Float64Array.of(1, 2, 3, 4), box: [1, 2, 9, 9] as const }
  t.same(
    holds(geometry, [
      [1, 2],
      [3, 4],
    ]),
    [false, true],
  )
})

t.test('integers are coordinates, text is not', async (t) => {
  const placed = place({ format: 'i', length: 2, buffers: [null, Int32Array.of(5, 10)] })
  const column = core.importArray(placed.memory, placed.array, placed.schema, i32)
  const geometry = { ...EMPTY, polygons: [[square(0, 10)]] }
  t.equal(core.count(core.within(column, i32, column, i32, geometry)), 1)
  t.throws(() => core.within(column, { kind: 'utf8' }, column, i32, geometry), { code: 'not_supported' })
})

t.test('many points in a polygon of many edges are found as a few are', async (t) => {
  const edges = 500
  const ring = Float64Array.from({ length: 2 * edges + 2 }, (_, i) => {
    const angle = ((i >> 1) % edges) * ((2 * Math.PI) / edges)
    const radius = 4 + Math.sin(9 * angle)
    return radius * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle))
  })
  const geometry = { ...EMPTY, polygons: [[ring, square(-1, 1)]], box: [-5, -5, 5, 5] as const }
  const points = Array.from(
    { length: 1000 },
    (_, i) => [(i % 40) / 4 - 5, Math.floor(i / 40) / 2.5 - 5] as const,
  )
  const corners = Array.from({ length: 100 }, (_, i) => [ring[2 * i] ?? 0, ring[2 * i + 1] ?? 0] as const)
  const all = [...points, ...corners]
  const one = all.flatMap((_, i) => (i % 100 === 0 ? holds(geometry, all.slice(i, i + 100)) : []))
  t.same(holds({ ...geometry, lines: [] }, all), one)
  t.ok(one.filter(Boolean).length > 300)
  t.notOk(one.slice(points.length).some(Boolean), 'corners are not inside')
})
