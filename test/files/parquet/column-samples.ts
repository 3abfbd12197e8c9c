import type { Scalar } from '../../../src/plan/types/scalar.ts'
import type { DataType } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'

/** A flat type, and values of it that Parquet can store. */
export interface ColumnSample {
  readonly type: DataType
  readonly values: fc.Arbitrary<Scalar>
}

const int = (min: bigint, max: bigint, times = 1n): fc.Arbitrary<Scalar> =>
  fc
    .oneof(fc.bigInt(min / times, max / times), fc.bigInt(0n, 9n), fc.constantFrom(min / times, max / times))
    .map((value) => ({ kind: 'int', value: value * times }))

const bits = (count: number, isSigned = true): fc.Arbitrary<Scalar> => {
  const half = 1n << BigInt(count - 1)
  return isSigned ? int(-half, half - 1n) : int(0n, 2n * half - 1n)
}

const digits = (precision: number): fc.Arbitrary<Scalar> => {
  const most = 10n ** BigInt(precision) - 1n
  return int(-most, most)
}

const bytes = (values: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Scalar> =>
  values.map((value) => ({ kind: 'bytes', value }))

const float = (values: fc.Arbitrary<number>): fc.Arbitrary<Scalar> =>
  fc
    .oneof(values, fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY))
    .map((value) => ({ kind: 'float', value }))

const fixed = (length: number) => bytes(fc.uint8Array({ minLength: length, maxLength: length }))

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc
    .tuple(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom('z', 'é', '\u{10ffff}'))
    .map(([head, letter]) => head.padEnd(70, letter)),
)

/** Twelve bytes of months, days and milliseconds fit into all of them. */
const interval = (unit: 'year_month' | 'day_time' | 'month_day_nano'): ColumnSample => ({
  type: { kind: 'interval', unit },
  values: bytes(
    fc.tuple(fc.nat(), fc.nat(), fc.nat(2 ** 31 - 1)).map(([months, days, milliseconds]) => {
      const stored = Buffer.alloc({ year_month: 4, day_time: 8, month_day_nano: 16 }[unit])
      if (unit === 'day_time') stored.writeInt32LE(days, 0)
      else stored.writeInt32LE(months, 0)
      if (unit === 'day_time') stored.writeInt32LE(milliseconds, 4)
      if (unit === 'month_day_nano') stored.writeInt32LE(days, 4)
      if (unit === 'month_day_nano') stored.writeBigInt64LE(BigInt(milliseconds) * 1_000_000n, 8)
      return stored
    }),
  ),
})

const YEAR_9999 = 253_402_300_799n

/** Every flat type whose values are read as they were. */
export const COLUMN_SAMPLES: readonly ColumnSample[] = [
  { type: { kind: 'bool' }, values: fc.boolean().map((value) => ({ kind: 'bool', value })) },
  ...([8, 16, 32, 64] as const).flatMap((width): ColumnSample[] =>
    [true, false].map((signed) => ({
      type: { kind: 'int', bits: width, signed },
      values: bits(width, signed),
    })),
  ),
  { type: { kind: 'float', bits: 16 }, values: float(fc.integer({ min: -2048, max: 2048 })) },
  { type: { kind: 'float', bits: 32 }, values: float(fc.float({ noNaN: true })) },
  { type: { kind: 'float', bits: 64 }, values: float(fc.double({ noNaN: true })) },
  ...(
    [
      [32, 9],
      [64, 9],
      [64, 18],
      [128, 5],
      [128, 18],
      [128, 19],
      [128, 38],
      [256, 4],
      [256, 12],
      [256, 30],
      [256, 76],
    ] as const
  ).map(
    ([width, precision]): ColumnSample => ({
      type: { kind: 'decimal', bits: width, precision, scale: 2 },
      values: digits(precision),
    }),
  ),
  { type: { kind: 'utf8' }, values: bytes(text.map((value) => Buffer.from(value.toWellFormed()))) },
  { type: { kind: 'binary' }, values: bytes(fc.uint8Array({ maxLength: 90 })) },
  { type: { kind: 'binary' }, values: bytes(fc.nat(200).map((length) => new Uint8Array(length).fill(255))) },
  { type: { kind: 'fixed_binary', width: 3 }, values: fixed(3) },
  { type: { kind: 'fixed_binary', width: 70 }, values: fixed(70) },
  { type: { kind: 'uuid' }, values: fixed(16) },
  { type: { kind: 'date', unit: 'day' }, values: bits(32) },
  { type: { kind: 'date', unit: 'millisecond' }, values: int(-YEAR_9999, YEAR_9999 * 1000n, 86_400_000n) },
  { type: { kind: 'time', unit: 'millisecond' }, values: int(0n, 86_399_999n) },
  { type: { kind: 'time', unit: 'microsecond' }, values: int(0n, 86_399_999_999n) },
  { type: { kind: 'time', unit: 'nanosecond' }, values: int(0n, 86_399_999_999_999n) },
  ...(['millisecond', 'microsecond', 'nanosecond'] as const).map(
    (unit): ColumnSample => ({ type: { kind: 'timestamp', unit, zone: 'UTC' }, values: bits(64) }),
  ),
  ...(['second', 'nanosecond'] as const).map(
    (unit): ColumnSample => ({ type: { kind: 'duration', unit }, values: bits(64) }),
  ),
  interval('year_month'),
  interval('day_time'),
  interval('month_day_nano'),
]
