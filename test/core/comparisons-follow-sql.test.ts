import t from 'tap'
import type { Comparison } from '../../src/plan/condition/compare.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import type { Column, Mask } from '../../src/wasm/core/column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc } from '../support/generate.ts'
import { bitmap, type CArray, place, texts } from './c-array.ts'
import { decode } from './decode.ts'

const core = createCore({ maximumBytes: 64 << 20 })

function load(array: CArray, type: DataType): Column {
  const placed = place(array)
  return core.importArray(placed.memory, placed.array, placed.schema, type)
}

/** True, false or null (unknown) for each row; frees the mask. */
function outcome(mask: Mask, rows: number): (boolean | null)[] {
  const set = (mask: Mask): Set<number> => {
    const found = new Set<number>()
    for (let row = 0; row < rows; row++) {
      const before = core.advance(mask, rows, row, 1)
      if (before.skipped === 1) found.add(before.row - 1)
    }
    return found
  }
  const negated = core.not(mask)
  const [yes, no] = [set(mask), set(negated)]
  core.freeMask(mask)
  core.freeMask(negated)
  return Array.from({ length: rows }, (_, row) => (yes.has(row) ? true : no.has(row) ? false : null))
}

interface Case {
  readonly name: string
  readonly type: DataType
  /** Ascending and all different. */
  readonly values: readonly Scalar[]
  readonly array: (values: readonly Scalar[], valid: readonly boolean[]) => CArray
}

const ints = (
  name: string,
  format: string,
  type: DataType,
  values: readonly bigint[],
  width: number,
): Case => ({
  name,
  type,
  values: values.map((value) => ({ kind: 'int', value })),
  array: (rows, valid) => {
    const bytes = Buffer.alloc(rows.length * width)
    rows.forEach((row, i) => {
      let rest = row.kind === 'int' ? row.value : 0n
      for (let j = 0; j < width; j++, rest >>= 8n) bytes[i * width + j] = Number(rest & 0xffn)
    })
    return { format, length: rows.length, buffers: [bitmap(valid), bytes] }
  },
})

const floats = (bits: 32 | 64): Case => ({
  name: `float${bits}`,
  type: { kind: 'float', bits },
  values: [
    Number.NEGATIVE_INFINITY,
    -1.5,
    0,
    bits === 32 ? Math.fround(0.1) : 0.1,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ].map((value) => ({ kind: 'float', value })),
  array: (rows, valid) => {
    const numbers = rows.map((row) => (row.kind === 'float' ? row.value : 0))
    const values = bits === 32 ? Float32Array.from(numbers) : Float64Array.from(numbers)
    return { format: bits === 32 ? 'f' : 'g', length: rows.length, buffers: [bitmap(valid), values] }
  },
})

const int64: DataType = { kind: 'int', bits: 64, signed: true }
const nanoseconds: DataType = { kind: 'timestamp', unit: 'nanosecond', zone: null }
const around = 2n ** 53n
const CASES: readonly Case[] = [
  ints('int8', 'c', { kind: 'int', bits: 8, signed: true }, [-128n, -1n, 0n, 1n, 127n], 1),
  ints('int64', 'l', int64, [-(2n ** 63n), -around - 1n, -around, around, around + 1n, 2n ** 63n - 1n], 8),
  ints('uint64', 'L', { kind: 'int', bits: 64, signed: false }, [0n, 1n, 2n ** 63n, 2n ** 64n - 1n], 8),
  ints(
    'timestamp',
    'tsn:',
    nanoseconds,
    [-1n, 0n, 1n, 1_704_067_200_000_000_000n, 1_704_067_200_000_000_001n],
    8,
  ),
  ints('date', 'tdD', { kind: 'date', unit: 'day' }, [-1n, 0n, 19_723n], 4),
  ints(
    'decimal',
    'd:38,2',
    { kind: 'decimal', bits: 128, precision: 38, scale: 2 },
    [-(10n ** 37n), -1n, 10n ** 37n, 10n ** 37n + 1n],
    16,
  ),
  ints(
    'wide decimal',
    'd:76,0,256',
    { kind: 'decimal', bits: 256, precision: 76, scale: 0 },
    [-(10n ** 75n), 0n, 10n ** 75n, 10n ** 75n + 1n],
    32,
  ),
  floats(32),
  floats(64),
  {
    name: 'text',
    type: { kind: 'utf8' },
    values: ['', 'a', 'aa', 'b', 'é', '😀'].map((text) => ({ kind: 'bytes', value: Buffer.from(text) })),
    array: (rows, valid) => ({
      format: 'u',
      length: rows.length,
      buffers: [
        bitmap(valid),
        ...texts(rows.map((row) => (row.kind === 'bytes' ? Buffer.from(row.value).toString() : ''))),
      ],
    }),
  },
  {
    name: 'fixed binary',
    type: { kind: 'fixed_binary', width: 2 },
    values: ['0000', '00ff', '7f00', 'ff00'].map((text) => ({
      kind: 'bytes',
      value: Buffer.from(text, 'hex'),
    })),
    array: (rows, valid) => ({
      format: 'w:2',
      length: rows.length,
      buffers: [
        bitmap(valid),
        Buffer.concat(rows.map((row) => (row.kind === 'bytes' ? row.value : Buffer.alloc(2)))),
      ],
    }),
  },
  {
    name: 'bool',
    type: { kind: 'bool' },
    values: [false, true].map((value) => ({ kind: 'bool', value })),
    array: (rows, valid) => ({
      format: 'b',
      length: rows.length,
      buffers: [bitmap(valid), bitmap(rows.map((row) => row.kind === 'bool' && row.value))],
    }),
  },
]

const HOLDS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  neq: (order) => order !== 0,
  gt: (order) => order > 0,
  gt_eq: (order) => order >= 0,
  lt: (order) => order < 0,
  lt_eq: (order) => order <= 0,
}

for (const { name, type, values, array } of CASES) {
  t.test(`${name}: every operator, null is unknown`, async (t) => {
    const place = fc.nat(values.length - 1)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(place, fc.boolean()), { maxLength: 70 }),
        place,
        place,
        fc.array(place, { maxLength: 4 }),
        (rows, first, second, several) => {
          const at = (i: number): Scalar => values[i] ?? { kind: 'bool', value: false }
          const column = load(
            array(
              rows.map(([i]) => at(i)),
              rows.map(([, valid]) => valid),
            ),
            type,
          )
          const check = (mask: Mask, holds: (i: number) => boolean): void => {
            const expected = rows.map(([i, valid]) => (valid ? holds(i) : null))
            if (JSON.stringify(outcome(mask, rows.length)) !== JSON.stringify(expected)) {
              throw new Error(`${name} ${rows} ${first} ${second} ${several}`)
            }
          }
          for (const [comparison, holds] of Object.entries(HOLDS)) {
            check(core.compare(column, type, comparison as Comparison, at(first)), (i) => holds(i - first))
          }
          check(core.between(column, type, at(first), at(second)), (i) => first <= i && i <= second)
          check(core.isIn(column, type, several.map(at)), (i) => several.includes(i))
          const unknown = core.filled(rows.length, null)
          const [others, nulls] = [core.isNotNull(column), core.isNull(column)]
          check(core.or(others, unknown), () => true)
          check(core.and(nulls, unknown), () => false)
          for (const mask of [unknown, others, nulls]) core.freeMask(mask)
          core.free(column)
        },
      ),
      { numRuns: 60 },
    )
    t.equal(core.usedBytes(), 0)
  })
}

t.test('NaN of either sign is the greatest and −0.0 is 0.0', async (t) => {
  const type: DataType = { kind: 'float', bits: 64 }
  const bits = BigUint64Array.of(0x7ff8_0000_0000_0000n, 0xfff8_0000_0000_0000n, 0n, 1n << 63n)
  const column = load({ format: 'g', length: 4, buffers: [null, bits] }, type)
  const at = (value: number): Scalar => ({ kind: 'float', value })
  t.same(outcome(core.compare(column, type, 'gt', at(Number.POSITIVE_INFINITY)), 4), [
    true,
    true,
    false,
    false,
  ])
  t.same(outcome(core.compare(column, type, 'eq', at(Number.NaN)), 4), [true, true, false, false])
  t.same(outcome(core.compare(column, type, 'lt', at(0)), 4), [false, false, false, false])
  t.same(outcome(core.compare(column, type, 'eq', at(-0)), 4), [false, false, true, true])
  t.same(outcome(core.isIn(column, type, [at(Number.NaN), at(0)]), 4), [true, true, true, true])
})

t.test('AND, OR and NOT are Kleene’s, and consume nothing', async (t) => {
  const type: DataType = { kind: 'int', bits: 32, signed: true }
  const rows = [0, 1, 2].flatMap((a) => [0, 1, 2].map((b) => [a, b] as const))
  const side = (index: 0 | 1): Mask => {
    const column = load(
      {
        format: 'i',
        length: 9,
        buffers: [bitmap(rows.map((row) => row[index] < 2)), Int32Array.from(rows.map((row) => row[index]))],
      },
      type,
    )
    return core.compare(column, type, 'eq', { kind: 'int', value: 1n })
  }
  const [left, right] = [side(0), side(1)]
  const value = (code: number): boolean | null => (code === 2 ? null : code === 1)
  const and = (a: boolean | null, b: boolean | null) => (a === false || b === false ? false : a && b)
  const or = (a: boolean | null, b: boolean | null) =>
    a === true || b === true ? true : a === null || b === null ? null : false
  t.same(
    outcome(core.and(left, right), 9),
    rows.map(([a, b]) => and(value(a), value(b))),
  )
  t.same(
    outcome(core.or(left, right), 9),
    rows.map(([a, b]) => or(value(a), value(b))),
  )
  t.same(
    outcome(core.not(left), 9),
    rows.map(([a]) => (value(a) === null ? null : !value(a))),
  )
  t.same(outcome(core.filled(9, true), 9), Array(9).fill(true))
  t.throws(() => core.and(left, core.filled(8, true)), { code: 'internal' })
})

t.test('a column that cannot be compared is refused', async (t) => {
  const type: DataType = { kind: 'interval', unit: 'year_month' }
  const column = load({ format: 'tiM', length: 1, buffers: [null, Int32Array.of(1)] }, type)
  t.throws(() => core.compare(column, type, 'eq', { kind: 'int', value: 1n }), { code: 'not_supported' })
  t.same(decode([], core.encodeBatch([], [], 1, null, 0, 1, 1).bytes), [])
})
