import t from 'tap'
import { productOf } from '../../src/plan/product-of.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { GRID_UNITS, type Grid } from '../../src/wasm/core/kernels/grid.ts'
import { boxAt, splitBox } from '../../src/workers/formats/arrays/split-box.ts'
import { fc } from '../support/generate.ts'
import { columnOf } from './columns.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const i16: DataType = { kind: 'int', bits: 16, signed: true }
const u8: DataType = { kind: 'int', bits: 8, signed: false }
const f64: DataType = { kind: 'float', bits: 64 }
const bool: DataType = { kind: 'bool' }
const ms: DataType = { kind: 'timestamp', unit: 'millisecond', zone: null }
const words: DataType = { kind: 'dictionary', index: u8, value: i16, ordered: false }

const int = (value: number): Scalar => ({ kind: 'int', value: BigInt(value) })
const FILL = 9_999
const fill = (bytes: number): Uint8Array => new Uint8Array(Float64Array.of(FILL).buffer).subarray(0, bytes)

/** Rows of three dimensions and two variables. */
const row = fc.tuple(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(-2.5, -0, 0, 1e9, Number.NaN),
  fc.boolean(),
  fc.option(fc.integer({ min: 0, max: 255 }), { nil: null, freq: 3 }),
  fc.option(fc.constantFrom(1.5, Number.NaN, -1), { nil: null, freq: 3 }),
)
type Row = readonly [number, number, boolean, number | null, number | null]

function spooled(grid: Grid, rows: readonly Row[]): { readonly rows: number; readonly bytes: Uint8Array } {
  const scalars = rows.map(([a, b, c, d, e]): (Scalar | null)[] => [
    int(a),
    { kind: 'float', value: b },
    { kind: 'bool', value: c },
    d === null ? null : int(d),
    e === null ? null : { kind: 'float', value: e },
  ])
  const columns = [words, f64, bool, u8, f64].map((type, index) =>
    columnOf(
      core,
      type,
      scalars.map((values) => values[index] ?? null),
    ),
  )
  const bytes = Uint8Array.from(grid.spool(columns, rows.length))
  columns.forEach(core.free)
  return { rows: rows.length, bytes }
}

const block = ({ rows, bytes }: { readonly rows: number; readonly bytes: Uint8Array }) => ({
  rows,
  length: bytes.length,
  fill: (target: Uint8Array) => target.set(bytes),
})

/** What is in each cell by a map of keys. */
function naive(rows: readonly Row[]) {
  const order = (a: number, b: number): number =>
    Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : Number.isNaN(b) ? -1 : a - b
  const distinct = (index: 0 | 1 | 2): number[] => {
    const values = rows.map((row) => Number(row[index]) + 0)
    return [...new Set(values)].sort(order)
  }
  const dimensions = [distinct(0), distinct(1), distinct(2)] as const
  const cells = [new Map<number, number>(), new Map<number, number>()] as const
  for (const row of rows) {
    const places = dimensions.map((values, index) => {
      const value = Number(row[index as 0 | 1 | 2]) + 0
      return values.findIndex((known) => Object.is(known, value))
    })
    const cell = places.reduce((at, place, d) => at * (dimensions[d]?.length ?? 0) + place, 0)
    if (row[3] !== null) cells[0].set(cell, row[3])
    if (row[4] !== null) cells[1].set(cell, row[4])
  }
  return { dimensions, cells }
}

t.test('the cells of a grid are those of a map by keys, in slabs of any size', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.array(row, { maxLength: 130 }), { maxLength: 4 }),
      fc.nat(40),
      (batches, most) => {
        const grid = core.grid(
          [words, f64, bool],
          [
            { type: u8, fill: Uint8Array.of(255) },
            { type: f64, fill: fill(8) },
          ],
        )
        const blocks = batches.map((rows) => spooled(grid, rows))
        const { dimensions, cells } = naive(batches.flat())
        const shape = dimensions.map((_, index) => grid.size(index))
        t.same(
          shape,
          dimensions.map((values) => values.length),
        )
        const sorted = shape.map((_, index) => grid.sort(index).values)
        t.same(new Int16Array(sorted[0] ?? new ArrayBuffer(0)), Int16Array.from(dimensions[0]))
        t.same(new Float64Array(sorted[1] ?? new ArrayBuffer(0)), Float64Array.from(dimensions[1]))
        t.same(new Uint8Array(sorted[2] ?? new ArrayBuffer(0)), Uint8Array.from(dimensions[2]))
        if (productOf(shape) > 0) {
          const slabs = splitBox(shape, most)
          t.equal(grid.arrange(slabs.split, slabs.rows), slabs.count)
          const distributed = blocks.map((given) => {
            const { blocks, counts } = grid.distribute(block(given))
            return { blocks: Uint8Array.from(blocks), counts }
          })
          const found: [number[], number[]] = [[], []]
          const starts = blocks.map(() => 0)
          const bytesOf = (rows: number) =>
            8 * (Math.ceil(rows / 2) + Math.ceil(rows / 8) + rows + 2 * Math.ceil(rows / 64))
          for (let slab = 0; slab < slabs.count; slab++) {
            grid.begin(productOf(boxAt(shape, slabs, slab).extent))
            for (const [index, { blocks, counts }] of distributed.entries()) {
              const rows = counts[slab] ?? 0
              const start = starts[index] ?? 0
              starts[index] = start + bytesOf(rows)
              grid.put(block({ rows, bytes: blocks.subarray(start, start + bytesOf(rows)) }), true)
            }
            const [small, large] = [grid.values(0), grid.values(1)]
            found[0].push(...small.bytes)
            const copied = Uint8Array.from(grid.values(1).bytes)
            found[1].push(...new Float64Array(copied.buffer))
            const size = found[0].length
            const held = [...cells[0].keys()].filter(
              (cell) => cell < size && cell >= size - small.bytes.length,
            )
            t.equal(
              small.empty,
              small.bytes.length - held.length,
              'empty cells of a column that may hold its fill value',
            )
            t.ok(large.empty <= small.bytes.length)
          }
          t.same(
            starts,
            distributed.map(({ blocks }) => blocks.length),
          )
          const all = Array.from({ length: productOf(shape) }, (_, cell) => cell)
          t.same(
            found[0],
            all.map((cell) => cells[0].get(cell) ?? 255),
          )
          t.same(
            found[1],
            all.map((cell) => cells[1].get(cell) ?? FILL),
          )
          // The same without distributing, if there is one slab.
          grid.arrange(0, shape[0] ?? 0)
          grid.begin(all.length)
          for (const given of blocks) grid.put(block(given), false)
          t.same([...grid.values(0).bytes], found[0])
        }
        grid.free()
        return t.passing()
      },
    ),
    { numRuns: 150 },
  )
})

t.test('boxes of slabs cover a grid once, in C order', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
      fc.nat(60),
      (shape, most) => {
        const slabs = splitBox(shape, most)
        let next = 0
        for (let slab = 0; slab < slabs.count; slab++) {
          const box = boxAt(shape, slabs, slab)
          const cell = box.origin.reduce((at, offset, d) => at * (shape[d] ?? 1) + offset, 0)
          if (cell !== next || (productOf(box.extent) > most && productOf(box.extent) > 1)) return false
          next += productOf(box.extent)
        }
        return next === productOf(shape)
      },
    ),
  )
})

t.test('times are in the coarsest unit that is exact', async (t) => {
  const grid = core.grid([ms], [{ type: ms, fill: fill(8) }])
  const time = (value: number): Scalar => ({ kind: 'int', value: BigInt(value) })
  const columns = [
    columnOf(core, ms, [time(86_400_000), time(-86_400_000)]),
    columnOf(core, ms, [time(3_600_000), null]),
  ]
  const bytes = Uint8Array.from(grid.spool(columns, 2))
  columns.forEach(core.free)
  const { values, unit } = grid.sort(0)
  t.equal(GRID_UNITS[unit], 'days')
  t.same(new BigInt64Array(values), BigInt64Array.of(-1n, 1n))
  t.equal(GRID_UNITS[grid.unit(0)], 'hours')
  grid.arrange(0, 2)
  grid.begin(2)
  grid.put(block({ rows: 2, bytes }), false)
  const found = grid.values(0)
  t.same(
    new BigInt64Array(Uint8Array.from(found.bytes).buffer),
    BigInt64Array.of(new BigInt64Array(fill(8).slice().buffer)[0] ?? 0n, 1n),
  )
  t.equal(found.empty, 1)
  grid.free()
})

t.test('a block that is damaged is an error, and not a trap', async (t) => {
  const grid = core.grid([i16], [{ type: u8, fill: Uint8Array.of(0) }])
  const column = columnOf(core, i16, [int(1)])
  const value = columnOf(core, u8, [int(1)])
  const bytes = Uint8Array.from(grid.spool([column, value], 1))
  core.free(column)
  core.free(value)
  grid.sort(0)
  grid.arrange(0, 1)
  grid.begin(1)
  t.throws(() => grid.put(block({ rows: 20, bytes }), false), { code: 'internal' })
  t.throws(() => grid.distribute(block({ rows: 1, bytes: bytes.fill(255) })), { code: 'internal' })
  t.notOk(core.isDead())
  grid.free()
  t.throws(() => core.grid([{ kind: 'utf8' }], []), { code: 'not_supported' })
  t.equal(core.usedBytes(), 0)
})
