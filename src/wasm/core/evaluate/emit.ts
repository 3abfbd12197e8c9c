import { decimalArithmetic, decimalCast, negatedDecimal, orOfDecimals } from './decimals.ts'
import type { Argument, Emit, Emitter } from './emitter.ts'
import {
  castFailure,
  overflow,
  overflowOfAbsolute,
  overflowOfNegation,
  overflowOfQuotient,
  rootOfNegative,
} from './failures.ts'
import { EMITTED_FUNCTIONS } from './functions.ts'
import { isFloat, type Kind } from './kinds.ts'
import type { Operation, TellFailure, Value } from './program.ts'
import { EMITTED_TEXTS } from './texts.ts'
import { EMITTED_INTERVALS } from './times/intervals.ts'
import { castOfTimes, orDays } from './times/time-casts.ts'
import { timeOfText } from './times/time-readings.ts'
import { EMITTED_TIME_TEXTS, textOfTime } from './times/time-texts.ts'
import { EMITTED_TIMES } from './times/times.ts'
import { EMITTED_ZONES } from './times/zone-shifts.ts'

/** A function all of whose arguments are computed for the same rows. */
const strict =
  (emit: (emitter: Emitter, values: readonly Value[], to: Kind) => Value): Emit =>
  (emitter, args, to) =>
    emit(
      emitter,
      args.map((arg) => arg(emitter)),
      to,
    )

const operation = (name: Operation): Emit => strict((emitter, values) => emitter.operate(name, values))

/** A comparison by one that the core has: with its operands exchanged, or negated. */
const comparison = (name: 'equal' | 'less' | 'same', isExchanged: boolean, isNegated: boolean): Emit =>
  strict((emitter, [a = 0, b = 0]) => {
    const compared = emitter.operate(name, isExchanged ? [b, a] : [a, b])
    return isNegated ? emitter.operate('not', [compared]) : compared
  })

/** An operation on numbers, of which those on integers may not fit. */
const arithmetic = (name: Operation, tell: (kind: Kind) => TellFailure): Emit =>
  strict((emitter, values) => {
    const kind = emitter.kindOf(values[0] ?? Number.NaN)
    return emitter.operate(name, values, isFloat(kind) ? {} : { tellFailure: tell(kind) })
  })

const quotient = (name: Operation): Emit => arithmetic(name, () => overflowOfQuotient)

const difference: Emit = strict((emitter, values) => {
  const [a = 0, b] = values
  const kind = emitter.kindOf(a)
  if (b === undefined) return negate(emitter, a, overflowOfNegation)
  return emitter.operate('subtract', values, isFloat(kind) ? {} : { tellFailure: overflow('-', kind) })
})

function negate(emitter: Emitter, value: Value, tellFailure: TellFailure): Value {
  const kind = emitter.kindOf(value)
  if (isFloat(kind)) return emitter.operate('negate', [value])
  return emitter.operate('subtract', [integer(emitter, kind, 0n), value], { tellFailure })
}

const integer = (emitter: Emitter, kind: Kind, value: bigint): Value =>
  emitter.constant(kind, { kind: 'int', value })
const float = (emitter: Emitter, kind: Kind, value: number): Value =>
  emitter.constant(kind, { kind: 'float', value })
const zero = (emitter: Emitter, kind: Kind): Value =>
  isFloat(kind) ? float(emitter, kind, 0) : integer(emitter, kind, 0n)

/** AND and OR: what an argument decides is not asked for in those behind it. */
const connective = (name: 'and' | 'or', undecided: Operation): Emit => {
  const from = (emitter: Emitter, [arg, ...others]: readonly Argument[]): Value => {
    if (arg === undefined) throw new TypeError(`${name} without conditions`)
    const first = arg(emitter)
    if (others.length === 0) return first
    return emitter.operate(name, [first, from(emitter.where(undecided, first), others)])
  }
  return from
}

/** Conditions and values in turn, and the value of the rows for which none holds. */
const choice: Emit = (emitter, args) => {
  const taken: (readonly [condition: Value, value: Value])[] = []
  let rest = emitter
  for (let index = 0; index + 2 < args.length; index += 2) {
    const condition = at(args, index)(rest)
    taken.push([condition, at(args, index + 1)(rest.where('where_true', condition))])
    rest = rest.where('where_not_true', condition)
  }
  const otherwise = at(args, args.length - 1)(rest)
  return taken.reduceRight(
    (other, [condition, value]) => emitter.operate('choose', [other, value, condition]),
    otherwise,
  )
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index]
  if (value === undefined) throw new TypeError('a call has too few arguments')
  return value
}

/** The first value that is not null. */
const firstKnown: Emit = (emitter, args, ...types) => {
  const first = at(args, 0)(emitter)
  if (args.length === 1) return first
  const others = firstKnown(emitter.where('where_null', first), args.slice(1), ...types)
  return emitter.operate('choose', [first, others, emitter.operate('is_null', [first])])
}

/** The greatest or the least value, of which nulls are none. */
const extreme = (isGreatest: boolean): Emit =>
  strict((emitter, values, kind) => {
    const extremum = values.reduce((best, value) => {
      const isBetter = emitter.operate('less', isGreatest ? [best, value] : [value, best])
      const isFirst = emitter.operate('is_null', [best])
      return emitter.operate('choose', [best, value, emitter.operate('or', [isFirst, isBetter])])
    })
    // DuckDB gives 0.0 for −0.0.
    return isFloat(kind) && values.length > 1
      ? emitter.operate('add', [extremum, float(emitter, kind, 0)])
      : extremum
  })

const membership: Emit = strict((emitter, [value = 0, ...others]) => {
  const kind = emitter.kindOf(value)
  const searched = others.every(emitter.isConstant) && others.length > 1
  if (!searched || kind === 'bool')
    return others
      .map((other) => emitter.operate('equal', [value, other]))
      .reduce((a, b) => emitter.operate('or', [a, b]))
  const nothing = emitter.constant(kind, null)
  const members = others.filter((other) => other !== nothing)
  const isMember = emitter.operate('among', [value, emitter.set(kind, members)])
  return members.length === others.length
    ? isMember
    : emitter.operate('or', [isMember, emitter.constant('bool', null)])
})

const isWithin: Emit = strict((emitter, [value = 0, low = 0, high = 0]) => {
  const isBelow = emitter.operate('less', [value, low])
  const isAbove = emitter.operate('less', [high, value])
  return emitter.operate('not', [emitter.operate('or', [isBelow, isAbove])])
})

const cast =
  (name: 'cast' | 'try_cast'): Emit =>
  (emitter, args, to, types, type) => {
    const value = at(args, 0)(emitter)
    return (
      castOfTimes(emitter, value, types[0], type) ??
      textOfTime(emitter, value, types[0], type) ??
      timeOfText(emitter, name, value, types[0], type) ??
      convert(emitter, name, value, to)
    )
  }

function convert(emitter: Emitter, name: 'cast' | 'try_cast', value: Value, to: Kind): Value {
  const from = emitter.kindOf(value)
  if (from === to) return value
  if (to === 'bool') {
    const isZero = emitter.operate('equal', [value, zero(emitter, from)])
    return emitter.operate('not', [isZero])
  }
  if (from === 'bool') {
    const one = isFloat(to) ? float(emitter, to, 1) : integer(emitter, to, 1n)
    const number = emitter.operate('choose', [zero(emitter, to), one, value])
    // What is not known is no number either.
    const isUnknown = emitter.operate('is_null', [value])
    return emitter.operate('choose', [number, emitter.constant(to, null), isUnknown])
  }
  const tellFailure = castFailure(from, to)
  const isExact = name === 'try_cast' || !mayNotFit(from, to)
  return emitter.operate(name, [value], isExact ? { to } : { to, tellFailure })
}

/** Whether a number may have none of another kind. */
function mayNotFit(from: Kind, to: Kind): boolean {
  if (isFloat(to)) return from === 'f64' && to === 'f32'
  if (isFloat(from)) return true
  const [fromBits, toBits] = [from, to].map((kind) => Number(kind.slice(1)) - Number(kind.startsWith('i')))
  return (from.startsWith('i') && to.startsWith('u')) || (fromBits ?? 0) > (toBits ?? 0)
}

const magnitude: Emit = strict((emitter, [value = 0]) => {
  const kind = emitter.kindOf(value)
  if (isFloat(kind)) return emitter.operate('absolute', [value])
  if (kind.startsWith('u')) return value
  const isNegative = emitter.operate('less', [value, integer(emitter, kind, 0n)])
  const negated = negate(emitter.where('where_true', isNegative), value, overflowOfAbsolute)
  return emitter.operate('choose', [value, negated, isNegative])
})

const sign: Emit = strict((emitter, [value = 0]) => {
  const kind = emitter.kindOf(value)
  const tiny = (number: bigint): Value => integer(emitter, 'i8', number)
  const isNegative = emitter.operate('less', [value, zero(emitter, kind)])
  let isPositive = emitter.operate('less', [zero(emitter, kind), value])
  if (isFloat(kind)) {
    const isNumber = emitter.operate('less', [value, float(emitter, kind, Number.NaN)])
    isPositive = emitter.operate('and', [isPositive, isNumber])
  }
  const notPositive = emitter.operate('choose', [tiny(0n), tiny(-1n), isNegative])
  const signed = emitter.operate('choose', [notPositive, tiny(1n), isPositive])
  return emitter.operate('choose', [
    signed,
    emitter.constant('i8', null),
    emitter.operate('is_null', [value]),
  ])
})

/** Rounds to a whole number, or to so many digits behind the point, as DuckDB in 64 bits. */
const rounding = (whole: Operation, digits: Operation): Emit =>
  strict((emitter, [value = 0, count]) => {
    if (count === undefined) return emitter.operate(whole, [value])
    if (emitter.kindOf(value) === 'f64') return emitter.operate(digits, [value, count])
    const wide = emitter.operate('cast', [value], { to: 'f64' })
    return emitter.operate('try_cast', [emitter.operate(digits, [wide, count])], { to: 'f32' })
  })

const isNan: Emit = strict((emitter, [value = 0]) =>
  emitter.operate('equal', [value, float(emitter, emitter.kindOf(value), Number.NaN)]),
)

const isInfinite: Emit = strict((emitter, [value = 0]) => {
  const is = (number: number): Value =>
    emitter.operate('equal', [value, float(emitter, emitter.kindOf(value), number)])
  return emitter.operate('or', [is(Number.POSITIVE_INFINITY), is(Number.NEGATIVE_INFINITY)])
})

const isBounded: Emit = strict((emitter, [value = 0]) => {
  const infinite = (number: number): Value => float(emitter, emitter.kindOf(value), number)
  const isAbove = emitter.operate('less', [infinite(Number.NEGATIVE_INFINITY), value])
  return emitter.operate('and', [
    isAbove,
    emitter.operate('less', [value, infinite(Number.POSITIVE_INFINITY)]),
  ])
})

/** What is written for each kernel (`src/plan/kernels/kernels.ts`). */
export const EMITTED: ReadonlyMap<string, Emit> = new Map<string, Emit>([
  [
    '+',
    orOfDecimals(
      decimalArithmetic('+'),
      orDays(
        'add',
        arithmetic('add', (kind) => overflow('+', kind)),
      ),
    ),
  ],
  [
    '-',
    orOfDecimals(
      (emitter, args, ...types) =>
        (args.length === 1 ? negatedDecimal : decimalArithmetic('-'))(emitter, args, ...types),
      orDays('subtract', difference),
    ),
  ],
  [
    '*',
    orOfDecimals(
      decimalArithmetic('*'),
      arithmetic('multiply', (kind) => overflow('*', kind)),
    ),
  ],
  ['/', quotient('divide')],
  ['//', quotient('divide')],
  ['%', quotient('remainder')],
  ['=', comparison('equal', false, false)],
  ['<>', comparison('equal', false, true)],
  ['<', comparison('less', false, false)],
  ['<=', comparison('less', true, true)],
  ['>', comparison('less', true, false)],
  ['>=', comparison('less', false, true)],
  ['is_distinct_from', comparison('same', false, true)],
  ['is_not_distinct_from', comparison('same', false, false)],
  ['between', isWithin],
  ['in', membership],
  ['is_null', operation('is_null')],
  ['is_not_null', strict((emitter, values) => emitter.operate('not', [emitter.operate('is_null', values)]))],
  ['and', connective('and', 'where_not_false')],
  ['or', connective('or', 'where_not_true')],
  ['not', operation('not')],
  ['case', choice],
  ['coalesce', firstKnown],
  ['greatest', extreme(true)],
  ['least', extreme(false)],
  [
    'nullif',
    strict((emitter, [a = 0, b = 0]) =>
      emitter.operate('choose', [
        a,
        emitter.constant(emitter.kindOf(a), null),
        emitter.operate('equal', [a, b]),
      ]),
    ),
  ],
  ['cast', orOfDecimals(decimalCast('cast'), cast('cast'))],
  ['try_cast', orOfDecimals(decimalCast('try_cast'), cast('try_cast'))],
  ['abs', magnitude],
  ['sign', sign],
  ['floor', operation('floor')],
  ['ceil', operation('ceil')],
  ['round', rounding('round', 'round_digits')],
  ['trunc', rounding('trunc', 'trunc_digits')],
  [
    'sqrt',
    strict((emitter, values) => emitter.operate('square_root', values, { tellFailure: rootOfNegative })),
  ],
  ['isnan', isNan],
  ['isinf', isInfinite],
  ['isfinite', isBounded],
  ['&', operation('bit_and')],
  ['|', operation('bit_or')],
  ['xor', operation('bit_xor')],
  ['~', operation('bit_not')],
  ...EMITTED_FUNCTIONS,
  ...EMITTED_INTERVALS,
  ...EMITTED_TEXTS,
  ...EMITTED_TIMES,
  ...EMITTED_TIME_TEXTS,
  ...EMITTED_ZONES,
])
