import type { Expression } from '../expression.ts'
import { type DataType, sameType, valueType } from '../types/schema.ts'
import { uniqueMap } from '../unique-map.ts'
import { isAnyTime } from './calendar.ts'
import {
  DECIMAL_ALIKE,
  DECIMAL_CAST,
  DECIMAL_DIFFERENCE,
  DECIMAL_PRODUCT,
  DECIMAL_SIGN,
  DECIMAL_SUM,
  type DecimalKernel,
} from './decimal-kernels.ts'
import {
  binary,
  freezeOverload,
  giving,
  type Kernel,
  listOverloads,
  type MayFail,
  NEVER,
  textOf,
  unary,
  withConstants,
} from './kernel.ts'
import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  FLOATS,
  INTEGER,
  INTEGERS,
  isKernelValue,
  NUMBERS,
  SIGNED,
  TIMESTAMPS,
  TINYINT,
  VALUES,
  VARCHAR,
} from './kernel-types.ts'
import { TEXT_KERNELS } from './text-kernels.ts'
import {
  DAY_DIFFERENCES,
  DAY_SUMS,
  mayTimeCastFail,
  TIME_CASTS,
  TIME_KERNELS,
  TIME_READINGS,
  TOTAL_TIME_CASTS,
} from './time-kernels.ts'

/**
 * Whether the core evaluates a call with arguments of these types, of which dictionaries count as their values. Functions that need
 * a certain constant, as the part of `date_trunc`, are evaluated only if the arguments are given too.
 */
export function canEvaluate(
  name: string,
  argTypes: readonly DataType[],
  resultType: DataType,
  args: readonly Expression[] = [],
): boolean {
  const kernel = KERNELS.get(name)
  if (kernel === undefined || kernel.takes?.(args) === false) return false
  return kernel.accepts(argTypes.map(valueType), valueType(resultType))
}

/**
 * Whether a row may fail in a call that the core evaluates, whatever its arguments are. A call whose arguments may fail is not
 * asked for here.
 */
export function mayFail(name: string, argTypes: readonly DataType[], resultType: DataType): boolean {
  return KERNELS.get(name)?.mayFail(argTypes.map(valueType), valueType(resultType)) ?? true
}

/** Of days, too, to which integers are added. */
const isOfIntegers: MayFail = ([type]) => type?.kind === 'int' || type?.kind === 'date'

/** A kernel of values of any one type. `roles` says for each of so many arguments and the result whether it is such a value (T) or a BOOLEAN (B). */
function generalize(name: string, shape: Shape): Kernel {
  const example = shape.example
  return Object.freeze({
    name,
    overloads: Object.freeze(
      VALUES.map((type) => {
        const fill = (role: Role): DataType => (role === 'T' ? type : BOOLEAN)
        return freezeOverload(example.map(fill), fill(shape.result))
      }),
    ),
    mayFail: NEVER,
    accepts(args: readonly DataType[], result: DataType) {
      const roles = shape.roles(args.length)
      if (roles === null) return false
      const all = [...roles, shape.result]
      const types = [...args, result]
      const type = types.find((_, index) => all[index] === 'T')
      return (
        type !== undefined &&
        isKernelValue(type) &&
        types.every((each, index) => sameType(each, all[index] === 'T' ? type : BOOLEAN))
      )
    },
  })
}

/** T: a value of the type; B: a BOOLEAN. */
type Role = 'T' | 'B'

interface Shape {
  readonly example: readonly Role[]
  readonly result: Role
  /** The roles of so many arguments. Null: it takes none or more. */
  roles(count: number): readonly Role[] | null
}

const requireRoles = (example: readonly Role[], result: Role): Shape => ({
  example,
  result,
  roles: (count) => (count === example.length ? example : null),
})

const repeatRole = (least: number, result: Role): Shape => ({
  example: Array.from({ length: Math.max(least, 2) }, () => 'T' as const),
  result,
  roles: (count) => (count < least ? null : Array.from({ length: count }, () => 'T' as const)),
})

/** Conditions and values in turn, and at the end the value for rows that no condition holds for. */
const CASE: Shape = {
  example: ['B', 'T', 'T'],
  result: 'T',
  roles: (count) =>
    count < 3 || count % 2 === 0
      ? null
      : Array.from({ length: count }, (_, index) => (index % 2 === 0 && index < count - 1 ? 'B' : 'T')),
}

const COMPARISON = requireRoles(['T', 'T'], 'B')
const OF_ONE = requireRoles(['T'], 'B')

/** Kleene's AND and OR of any number of conditions. Rows that an argument decides are not asked for in those behind it. */
function connect(name: string): Kernel {
  return Object.freeze({
    name,
    overloads: Object.freeze([freezeOverload([BOOLEAN, BOOLEAN], BOOLEAN)]),
    mayFail: NEVER,
    accepts: (args: readonly DataType[], result: DataType) =>
      args.length > 0 && [...args, result].every(({ kind }) => kind === 'bool'),
  })
}

const CASTABLE: readonly DataType[] = [BOOLEAN, ...NUMBERS]
const CASTS = CASTABLE.flatMap((from) => CASTABLE.map((to) => freezeOverload([from], to)))

/** Whether a type has values that the other one has not. */
const mayCastFail: MayFail = ([from], to) => {
  if (from === undefined || from.kind === 'bool' || to.kind === 'bool') return false
  if (isAnyTime(from)) return mayTimeCastFail(from, to)
  if (to.kind === 'float') return from.kind === 'float' && from.bits > to.bits
  if (from.kind !== 'int' || to.kind !== 'int') return true
  return from.signed && !to.signed ? true : from.bits - Number(from.signed) > to.bits - Number(to.signed)
}

const TIMES = [DATE, ...TIMESTAMPS]

/** Fields of days. */
const TIME_FIELDS = [
  ...['year', 'month', 'day', 'dayofmonth', 'quarter', 'dayofyear', 'dayofweek', 'weekday', 'isodow', 'week'],
  ...['weekofyear', 'isoyear', 'yearweek', 'decade', 'century', 'millennium', 'era'],
]

const CLOCK_FIELDS = ['hour', 'minute', 'second', 'millisecond', 'microsecond']

/** Types of times that have so small units. */
const CLOCKS: ReadonlyMap<string, readonly DataType[]> = new Map([
  ['millisecond', TIMESTAMPS.slice(1)],
  ['microsecond', TIMESTAMPS.slice(2)],
])

const TRUNCATIONS = [
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'decade',
  'century',
  'millennium',
]

/** A kernel that also takes decimals. */
function withDecimals(kernel: Kernel, ofDecimals: DecimalKernel): Kernel {
  return Object.freeze({
    ...kernel,
    accepts: (args: readonly DataType[], result: DataType) =>
      kernel.accepts(args, result) || ofDecimals.accepts(args, result),
    mayFail: (args: readonly DataType[], result: DataType) =>
      ofDecimals.accepts(args, result) ? ofDecimals.mayFail(args, result) : kernel.mayFail(args, result),
  })
}

/** What the core evaluates, by name. */
export const KERNELS: ReadonlyMap<string, Kernel> = uniqueMap(
  [
    withDecimals(listOverloads('+', [...binary(NUMBERS), ...DAY_SUMS], isOfIntegers), DECIMAL_SUM),
    withDecimals(listOverloads('*', binary(NUMBERS), isOfIntegers), DECIMAL_PRODUCT),
    withDecimals(
      listOverloads(
        '-',
        [...binary(NUMBERS), ...unary([...SIGNED, ...FLOATS]), ...DAY_DIFFERENCES],
        isOfIntegers,
      ),
      DECIMAL_DIFFERENCE,
    ),
    // As the service sets `integer_division`, both give the quotient of two integers as an integer.
    ...['/', '//', '%'].map((name) => listOverloads(name, binary(NUMBERS), isOfIntegers)),
    ...['=', '<>', '<', '<=', '>', '>=', 'is_distinct_from', 'is_not_distinct_from'].map((name) =>
      generalize(name, COMPARISON),
    ),
    generalize('between', requireRoles(['T', 'T', 'T'], 'B')),
    generalize('in', repeatRole(2, 'B')),
    ...['is_null', 'is_not_null'].map((name) => generalize(name, OF_ONE)),
    connect('and'),
    connect('or'),
    listOverloads('not', unary([BOOLEAN])),
    generalize('case', CASE),
    ...['coalesce', 'greatest', 'least'].map((name) => generalize(name, repeatRole(1, 'T'))),
    generalize('nullif', requireRoles(['T', 'T'], 'T')),
    withDecimals(
      listOverloads('cast', [...CASTS, ...TIME_CASTS, ...TIME_READINGS], mayCastFail),
      DECIMAL_CAST,
    ),
    withDecimals(listOverloads('try_cast', [...CASTS, ...TOTAL_TIME_CASTS, ...TIME_READINGS]), {
      ...DECIMAL_CAST,
      mayFail: () => false,
    }),
    withDecimals(
      listOverloads('abs', unary(NUMBERS), ([type]) => type?.kind === 'int' && type.signed),
      DECIMAL_ALIKE,
    ),
    withDecimals(listOverloads('sign', giving(NUMBERS, TINYINT)), DECIMAL_SIGN),
    ...['floor', 'ceil'].map((name) => listOverloads(name, unary(FLOATS))),
    ...['round', 'trunc'].map((name) =>
      listOverloads(name, [...unary(FLOATS), ...FLOATS.map((type) => freezeOverload([type, INTEGER], type))]),
    ),
    ...['exp', 'cbrt', 'radians', 'degrees', 'atan', 'sinh', 'cosh', 'tanh'].map((name) =>
      listOverloads(name, unary([DOUBLE])),
    ),
    ...['ln', 'log2', 'log10', 'log', 'sin', 'cos', 'tan', 'asin', 'acos'].map((name) =>
      listOverloads(name, unary([DOUBLE]), () => true),
    ),
    ...['pow', 'power', 'atan2'].map((name) => listOverloads(name, binary([DOUBLE]))),
    ...TEXT_KERNELS,
    ...TIME_KERNELS,
    listOverloads('sqrt', unary([DOUBLE]), () => true),
    ...TIME_FIELDS.map((name) => listOverloads(name, giving(TIMES, BIGINT))),
    ...CLOCK_FIELDS.map((name) =>
      listOverloads(name, giving([DATE, ...(CLOCKS.get(name) ?? TIMESTAMPS)], BIGINT)),
    ),
    withConstants(
      'date_trunc',
      TIMES.map((type) => freezeOverload([VARCHAR, type], type)),
      { 0: (part) => TRUNCATIONS.includes(textOf(part)) },
      (_, to) => to.kind === 'timestamp' && to.unit === 'nanosecond',
    ),
    ...['isnan', 'isinf', 'isfinite'].map((name) => listOverloads(name, giving(FLOATS, BOOLEAN))),
    ...['xor', '&', '|'].map((name) => listOverloads(name, binary(INTEGERS))),
    listOverloads('~', unary(INTEGERS)),
  ].map((kernel) => [kernel.name, kernel] as const),
)
