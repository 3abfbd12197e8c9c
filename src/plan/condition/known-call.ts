import type { CallExpression, TypedExpression } from '../expression.ts'
import type { Scalar } from '../types/scalar.ts'
import type { DataType } from '../types/schema.ts'
import { boundsOf, type KnownColumn } from './bounds.ts'
import { compareScalars } from './compare.ts'
import type { Interval } from './interval.ts'
import { boundsOfTime, rangeOfField } from './known-time.ts'

type NumberType = Extract<DataType, { kind: 'int' | 'float' | 'decimal' }>

/** The bounds of a call from those of its arguments. Null: they are not known, or a row may fail, or become NaN. */
type BoundsOfCall = (
  args: readonly Interval[],
  type: NumberType,
  argTypes: readonly (DataType | null)[],
) => Interval | null

/**
 * What is known of the values of a call from what is known of its arguments, each of which `knownOf` tells. Null: nothing is. Rounding keeps
 * the order of numbers, so that bounds that are computed like the values are bounds of them.
 */
export function knownOfCall(
  { name, args, type }: CallExpression,
  knownOf: (arg: TypedExpression) => KnownColumn | null,
): KnownColumn | null {
  if (type === null) return null
  const columns = args.map((arg) => (arg.type === null ? null : knownOf(arg as TypedExpression)))
  const nulls = nullsOf(columns)
  if (name === 'length') return { type, min: ZERO, ...(nulls !== null && { nulls }) }
  const intervals = columns.flatMap((each) => intervalOf(each) ?? [])
  const types = args.map((arg) => arg.type)
  if (intervals.length < args.length) {
    const range = rangeOfField(name, types)
    return range && { type, ...range }
  }
  const boundsOfCall = isNumber(type) ? BOUNDS.get(name) : undefined
  const interval =
    boundsOfCall !== undefined && isNumber(type)
      ? boundsOfCall(intervals, type, types)
      : boundsOfTime(name, intervals, types, type)
  if (interval === null) return null
  const hasNumbers = intervals.every(({ mayBeNaN }) => mayBeNaN !== true)
  return { type, ...interval, ...(hasNumbers && { noNaN: true }), ...(nulls !== null && { nulls }) }
}

/** The least length of a text. */
const ZERO: Scalar = Object.freeze({ kind: 'int', value: 0n })

function isNumber(type: DataType): type is NumberType {
  return type.kind === 'int' || type.kind === 'float' || type.kind === 'decimal'
}

/** What is known of a constant. */
export function knownOfConstant(value: Scalar | null, type: DataType): KnownColumn | null {
  return value === null || isNaNValue(value) ? null : { type, min: value, max: value, nulls: 0, noNaN: true }
}

function intervalOf(column: KnownColumn | null): Interval | null {
  if (column === null) return null
  const { min, max, mayBeNaN } = boundsOf(column)
  return min === null || max === null ? null : { min, max, mayBeNaN }
}

/** The number of rows that are null, of a call that is null where one of its arguments is. Null: it is not known. */
function nullsOf(columns: readonly (KnownColumn | null)[]): number | null {
  const some = columns.filter((each) => each?.nulls !== 0)
  const [only] = some
  if (some.length === 0) return 0
  return some.length === 1 ? (only?.nulls ?? null) : null
}

function isNaNValue(value: Scalar): boolean {
  return value.kind === 'float' && Number.isNaN(value.value)
}

/** A number as a value of a type. Null: the type does not have it, or the operations that follow could make NaN of it. */
function scalarOf(value: number | bigint | null, type: NumberType): Scalar | null {
  if (value === null) return null
  if (type.kind === 'float') {
    const rounded = type.bits === 32 ? Math.fround(Number(value)) : Number(value)
    return Number.isFinite(rounded) ? { kind: 'float', value: rounded } : null
  }
  if (typeof value === 'number') return null
  if (type.kind === 'decimal') {
    const most = 10n ** BigInt(type.precision)
    return value < most && value > -most ? { kind: 'int', value } : null
  }
  const bits = type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value)
  return bits === value ? { kind: 'int', value } : null
}

/** The interval of values that are the bounds of a call, in any order. */
function around(values: readonly (number | bigint | null)[], type: NumberType): Interval | null {
  const scalars = values.flatMap((value) => scalarOf(value, type) ?? [])
  const [first, ...others] = scalars
  if (first === undefined || scalars.length < values.length) return null
  let [min, max] = [first, first]
  for (const other of others) {
    if (compareScalars(other, min) < 0) min = other
    if (compareScalars(other, max) > 0) max = other
  }
  return { min, max }
}

type OnInteger = (value: bigint) => bigint | number | null

/** A function that rises or falls with its argument. */
const monotone =
  (onInteger: OnInteger, onFloat: (value: number) => number | null): BoundsOfCall =>
  ([arg, ...others], type) => {
    if (arg === undefined || others.length > 0) return null
    return around(
      [arg.min, arg.max].map((value) => apply(value, onInteger, onFloat)),
      type,
    )
  }

function apply(
  value: Scalar,
  onInteger: OnInteger,
  onFloat: (value: number) => number | null,
): number | bigint | null {
  if (value.kind === 'int') return onInteger(value.value)
  return value.kind === 'float' ? onFloat(value.value) : null
}

/** An operator that rises or falls with each of its operands. */
const ofTwo =
  (
    onIntegers: (a: bigint, b: bigint) => bigint | null,
    onFloats: (a: number, b: number) => number | null,
  ): BoundsOfCall =>
  ([a, b], type) => {
    if (a === undefined || b === undefined) return null
    const corners = [a.min, a.max].flatMap((one) =>
      [b.min, b.max].map((other) => {
        if (one.kind === 'int' && other.kind === 'int') return onIntegers(one.value, other.value)
        return one.kind === 'float' && other.kind === 'float' ? onFloats(one.value, other.value) : null
      }),
    )
    return around(corners, type)
  }

const minus = ofTwo(
  (a, b) => a - b,
  (a, b) => a - b,
)
const negative = monotone(
  (value) => -value,
  (value) => -value,
)

/** A quotient by what is never zero. */
const quotient: BoundsOfCall = (args, ...types) => {
  const divisor = args[1]
  if (divisor === undefined || signOf(divisor.min) * signOf(divisor.max) <= 0) return null
  return ofTwo(
    (a, b) => a / b,
    (a, b) => a / b,
  )(args, ...types)
}

function signOf(value: Scalar): number {
  return value.kind === 'int' || value.kind === 'float' ? Math.sign(Number(value.value)) : 0
}

const same = (value: bigint): bigint => value

/** The integers up to this are exact in 64 bits, so that they are rounded to 32 bits only once. */
const MOST_EXACT = 2n ** 53n

/** To a float every number rises. To an integer or a decimal only these are cast here. */
const cast: BoundsOfCall = (args, type, argTypes) => {
  const [from] = argTypes
  const scale = from?.kind === 'decimal' ? from.scale : 0
  const isNarrow = type.kind === 'float' && (type.bits === 32 || scale > 0)
  const castInteger = (value: bigint): bigint | number | null => {
    if (type.kind !== 'float') return rescale(value, (type.kind === 'decimal' ? type.scale : 0) - scale)
    if (isNarrow && (value > MOST_EXACT || value < -MOST_EXACT)) return null
    if (scale === 0) return value
    // DuckDB divides decimals in the type of the result.
    return type.bits === 64 ? Number(value) / 10 ** scale : null
  }
  return monotone(castInteger, (value) => (type.kind === 'float' ? value : null))(args, type, argTypes)
}

/** An unscaled decimal with so many digits more behind the point. Half is rounded away from zero. */
function rescale(value: bigint, digits: number): bigint {
  if (digits >= 0) return value * 10n ** BigInt(digits)
  const power = 10n ** BigInt(-digits)
  return (value + (value < 0n ? -power : power) / 2n) / power
}

const BOUNDS: ReadonlyMap<string, BoundsOfCall> = new Map<string, BoundsOfCall>([
  [
    '+',
    ofTwo(
      (a, b) => a + b,
      (a, b) => a + b,
    ),
  ],
  ['-', (args, ...types) => (args.length === 1 ? negative : minus)(args, ...types)],
  [
    '*',
    ofTwo(
      (a, b) => a * b,
      (a, b) => a * b,
    ),
  ],
  ['//', quotient],
  ['floor', monotone(same, Math.floor)],
  ['ceil', monotone(same, Math.ceil)],
  ['trunc', monotone(same, Math.trunc)],
  ['cast', cast],
])
