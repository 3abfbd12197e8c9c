import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { fc } from '../support/generate.ts'

/** A column of generated rows. */
export interface TestColumn {
  readonly name: string
  readonly type: DataType
  readonly values: readonly (Scalar | null)[]
}

/** DuckDB's infinite days and times. */
export const INFINITE_DAY = 2 ** 31 - 1
export const INFINITE_TIME = 2n ** 63n - 1n

const F32 = new Float32Array(1)
const toFloat32 = (value: number): number => {
  F32[0] = value
  return F32[0]
}

const FLOATS: readonly number[] = [
  ...[0, -0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 1, -1, 5, 7.25, 100, 1e10, -1e10, 127.5, -128.5],
  ...[1e300, -1e300, 1e-300, 5e-324, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, -(2 ** 63), 2 ** 64],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
]

function valuesOf(type: DataType): fc.Arbitrary<Scalar> {
  switch (type.kind) {
    case 'bool':
      return fc.boolean().map((value) => ({ kind: 'bool', value }))
    case 'float': {
      const width = (value: number): number => (type.bits === 32 ? toFloat32(value) : value)
      return fc
        .oneof(
          fc.constantFrom(...FLOATS),
          fc.integer({ min: -1000, max: 1000 }).map((n) => n / 8),
          fc.double(),
        )
        .map((value) => ({ kind: 'float', value: width(value) }))
    }
    case 'utf8':
      return fc
        .oneof(
          fc.constantFrom(
            '',
            'a',
            'ab',
            'b',
            'ä',
            '€uro',
            'longer than twelve bytes',
            ' a  ',
            '%b%',
            'a_',
            '%than twelve bytes',
            '\u3000Äß\u00a0',
          ),
          fc.string({ unit: fc.constantFrom(...'aAbBäÄß€𝄞 -'), maxLength: 7 }),
          fc.string({ maxLength: 3 }),
        )
        .map((text) => ({ kind: 'bytes', value: Buffer.from(text.replaceAll(/[\0']/g, 'x').toWellFormed()) }))
    case 'int': {
      const bits = BigInt(type.bits)
      const [min, max] = type.signed
        ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n]
        : [0n, (1n << bits) - 1n]
      const small = fc.bigInt({ min: type.signed ? -12n : 0n, max: 12n })
      return fc
        .oneof(small, small, fc.constantFrom(min, max, min + 1n, max - 1n), fc.bigInt({ min, max }))
        .map((value) => ({ kind: 'int', value }))
    }
    case 'date':
      return fc
        .oneof(fc.integer({ min: -800_000, max: 3_000_000 }), fc.constantFrom(INFINITE_DAY, -INFINITE_DAY))
        .map((day) => ({ kind: 'int', value: BigInt(day) }))
    case 'time':
      return fc.bigInt({ min: 0n, max: 86_399_999_999n }).map((value) => ({ kind: 'int', value }))
    case 'timestamp': {
      const second = { second: 1n, millisecond: 1000n, microsecond: 1_000_000n, nanosecond: 1_000_000_000n }[
        type.unit
      ]
      return fc
        .oneof(
          {
            arbitrary: fc.bigInt({ min: -9_000_000_000n * second, max: 9_000_000_000n * second }),
            weight: 8,
          },
          { arbitrary: fc.bigInt({ min: -5_000_000n, max: 5_000_000n }), weight: 1 },
          { arbitrary: fc.constantFrom(INFINITE_TIME, -INFINITE_TIME), weight: 1 },
        )
        .map((value) => ({ kind: 'int', value }))
    }
    default:
      throw new TypeError(`no values of ${type.kind}`)
  }
}

/** A value of a type, or null. */
export function cellsOf(type: DataType): fc.Arbitrary<Scalar | null> {
  return fc.option(valuesOf(type), { freq: 6 })
}

/** Columns of so many rows, two of each type. Intervals are constants. */
export function columnsOf(types: readonly DataType[], rows: number): fc.Arbitrary<readonly TestColumn[]> {
  return fc.tuple(
    ...types
      .filter(({ kind }) => kind !== 'interval')
      .flatMap((type, index) =>
        ['a', 'b'].map((letter) =>
          fc
            .array(cellsOf(type), { minLength: rows, maxLength: rows })
            .map((values): TestColumn => ({ name: `${letter}${index}`, type, values })),
        ),
      ),
  )
}
