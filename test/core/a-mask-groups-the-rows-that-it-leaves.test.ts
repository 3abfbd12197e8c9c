import t from 'tap'
import type { DataType } from '../../src/plan/types/schema.ts'
import type { Column } from '../../src/wasm/core/column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'

const i32: DataType = { kind: 'int', bits: 32, signed: true }
const i64: DataType = { kind: 'int', bits: 64, signed: true }
const f32: DataType = { kind: 'float', bits: 32 }
const f64: DataType = { kind: 'float', bits: 64 }
const utf8: DataType = { kind: 'utf8' }

/** Around a word of a mask, around a block of rows, and several blocks. */
const LENGTHS = [1, 63, 64, 65, 130, 2047, 2048, 2049, 5000]

/** Few rows of a word, some, nearly all; whole words, stretches that leave words out; all, none, the last alone. */
const MASKS: readonly ((row: number, rows: number) => boolean)[] = [
  (row) => row % 29 === 3,
  (row) => (row * row + (row >> 3)) % 5 < 3,
  (row) => row % 13 !== 5,
  (row) => Math.floor(row / 64) % 3 === 0,
  (row) => row % 200 < 70,
  () => true,
  () => false,
  (row, rows) => row === rows - 1,
]

const core = createCore({ maximumBytes: 64 << 20 })
const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

function fixed(array: BigInt64Array | Int32Array | Float32Array | Float64Array, nulls?: number): Column {
  const validity = new Uint8Array(Math.ceil(array.length / 8)).fill(255)
  for (let row = 0; nulls !== undefined && row < array.length; row += nulls)
    validity[row >> 3] = (validity[row >> 3] ?? 0) & ~(1 << (row & 7))
  const buffers = [nulls === undefined ? null : validity, bytesOf(array)]
  return core.assemble({ layout: 'fixed', parameter: array.BYTES_PER_ELEMENT, rows: array.length, buffers })
}

/** A dictionary of texts of three letters. */
function words(places: Uint32Array, count: number): Column {
  const text = Array.from({ length: count }, (_, i) => String(i).padStart(3, '0')).join('')
  const offsets = Int32Array.from({ length: count + 1 }, (_, i) => 3 * i)
  const values = core.assemble({
    layout: 'utf8',
    rows: count,
    buffers: [null, bytesOf(offsets), Buffer.from(text)],
  })
  const buffers = [null, bytesOf(places)]
  return core.assemble({
    layout: 'dictionary',
    parameter: 6,
    rows: places.length,
    buffers,
    children: [values],
  })
}

/** Keys and arguments. Numbers are such that what they add up to is exact in any order. */
function columnsOf(rows: number, groups: number): readonly Column[] {
  const numbers = Array.from({ length: rows }, (_, row) => row)
  const keys = numbers.map((row) => (row * 31) % groups)
  return [
    words(Uint32Array.from(keys), groups),
    fixed(Int32Array.from(keys), 11),
    fixed(BigInt64Array.from(keys, (key) => BigInt(key - 5))),
    fixed(Float64Array.from(keys)),
    fixed(
      Float32Array.from(numbers, (row) => (row % 17) - 4),
      7,
    ),
    fixed(Float64Array.from(numbers, (row) => (row % 23) / 4)),
    fixed(
      BigInt64Array.from(numbers, (row) => BigInt(row % 19) - 9n),
      3,
    ),
    fixed(Float64Array.from(numbers, (row) => [Number.NaN, 1, -2, Number.POSITIVE_INFINITY][row % 4] ?? 0)),
  ]
}

const TYPES = [utf8, i32, i64, f64, f32, f64, i64, f64]
const KEYS = [[], [0], [1], [2], [3], [0, 1]]
const AGGREGATES = [
  { kind: 'count_rows', of: null },
  ...[4, 5, 6].flatMap((of) => (['sum', 'avg', 'count', 'max'] as const).map((kind) => ({ kind, of }))),
  ...(['min', 'max', 'count_distinct'] as const).map((kind) => ({ kind, of: 7 })),
] as const

/** A table of groups as bytes. */
function grouped(
  keys: readonly number[],
  columns: readonly Column[],
  mask: Parameters<typeof core.addRows>[4],
) {
  const typeAt = (place: number) => TYPES[place] ?? i64
  const columnAt = (place: number) => columns[place] ?? (0 as Column)
  const groups = core.groups(
    keys.map(typeAt),
    AGGREGATES.map(({ kind, of }) => ({ kind, type: of === null ? null : typeAt(of) })),
    1 << 24,
  )
  const args = AGGREGATES.map(({ of }) => (of === null ? null : columnAt(of)))
  core.addRows(groups, keys.map(columnAt), args, core.rows(columnAt(0)), mask)
  const bytes = Buffer.from(core.groupsBytes(groups))
  core.freeGroups(groups)
  return bytes
}

for (const groups of [1, 7, 60, 300])
  t.test(`groups of ${groups} keys are those of the rows alone`, async (t) => {
    for (const rows of LENGTHS) {
      const columns = columnsOf(rows, groups)
      for (const [i, passes] of MASKS.entries()) {
        const flags = fixed(Int32Array.from({ length: rows }, (_, row) => Number(passes(row, rows))))
        const mask = core.compare(flags, i32, 'eq', { kind: 'int', value: 1n })
        const left = columns.map((column) => core.filter(column, mask))
        for (const keys of KEYS)
          t.ok(
            grouped(keys, columns, mask).equals(grouped(keys, left, null)),
            `${rows} rows, mask ${i}, keys ${keys}`,
          )
        for (const column of [flags, ...left]) core.free(column)
        core.freeMask(mask)
      }
      columns.forEach(core.free)
    }
    t.equal(core.usedBytes(), 0)
  })
