import { DECIMAL_PRODUCT, DECIMAL_SUM } from '../../../plan/kernels/decimal-kernels.ts'
import { areIn64Bits, isShortDecimal } from '../../../plan/kernels/decimals.ts'
import { type DataType, valueType } from '../../../plan/types/schema.ts'
import type { Emit, Emitter } from './emitter.ts'
import { castOfDecimal, overflowOfDecimals } from './failures.ts'
import { isFloat, type Kind } from './kinds.ts'
import type { Value } from './program.ts'

/** Writes a call for decimals, which are unscaled integers, or else what is written for other values. */
export const orOfDecimals =
  (ofDecimals: Emit, ofOthers: Emit): Emit =>
  (emitter, args, to, types, type) => {
    const all = [...types, type].flatMap((each) => (each === null ? [] : [valueType(each)]))
    return (all.some((each) => isShortDecimal(each) || areIn64Bits(each)) ? ofDecimals : ofOthers)(
      emitter,
      args,
      to,
      types,
      type,
    )
  }

const OPERATIONS = Object.freeze({
  '+': { narrow: 'add', checked: 'add_decimals', kernel: DECIMAL_SUM },
  '-': { narrow: 'subtract', checked: 'subtract_decimals', kernel: DECIMAL_SUM },
  '*': { narrow: 'multiply', checked: 'multiply_decimals', kernel: DECIMAL_PRODUCT },
} as const)

/** A sum, a difference or a product, of which a binder has made the scales alike. */
export const decimalArithmetic =
  (operator: keyof typeof OPERATIONS): Emit =>
  (emitter, args, _, types, type) => {
    const { narrow, checked, kernel } = OPERATIONS[operator]
    const values = args.map((arg) => arg(emitter))
    const argTypes = types.flatMap((each) => (each === null ? [] : [valueType(each)]))
    if (!kernel.mayFail(argTypes, type)) return emitter.operate(narrow, values)
    return emitter.operate(checked, values, { tellFailure: overflowOfDecimals(operator) })
  }

/** A decimal with the other sign, which always fits. */
export const negatedDecimal: Emit = (emitter, args) =>
  emitter.operate('subtract', [integer(emitter, 0n), ...args.map((arg) => arg(emitter))])

/** A cast between decimals and other numbers. DuckDB rounds half away from zero. */
export const decimalCast =
  (name: 'cast' | 'try_cast'): Emit =>
  (emitter, args, to, [from], type) => {
    const value = args[0]?.(emitter) ?? Number.NaN
    const source = from ? valueType(from) : type
    const scale = source.kind === 'decimal' ? source.scale : 0
    if (type.kind === 'decimal') {
      const wide = emitter.kindOf(value) === 'i64' ? value : emitter.operate('cast', [value], { to: 'i64' })
      return rescale(emitter, wide, type.scale - scale)
    }
    if (isFloat(to)) return asFloat(emitter, value, scale, to)
    const whole = rescale(emitter, value, -scale)
    if (to === 'i64') return whole
    const tellFailure = castOfDecimal(to)
    return emitter.operate(name, [whole], name === 'cast' ? { to, tellFailure } : { to })
  }

/** An unscaled decimal with so many digits more behind the point. */
function rescale(emitter: Emitter, value: Value, digits: number): Value {
  if (digits === 0) return value
  const power = integer(emitter, 10n ** BigInt(Math.abs(digits)))
  if (digits > 0) return emitter.operate('multiply', [value, power])
  const half = 10n ** BigInt(-digits) / 2n
  const isNegative = emitter.operate('less', [value, integer(emitter, 0n)])
  const toward = emitter.operate('choose', [integer(emitter, half), integer(emitter, -half), isNegative])
  return emitter.operate('divide', [emitter.operate('add', [value, toward]), power])
}

/** The greatest integers up to which floats have all. */
const EXACT = Object.freeze({ f32: 2n ** 24n, f64: 2n ** 53n })

/** The float that DuckDB makes of a decimal: its digits divided by the power, or if they are many, those before and behind the point apart. */
function asFloat(emitter: Emitter, value: Value, scale: number, to: 'f32' | 'f64'): Value {
  const float = (integers: Value): Value => emitter.operate('cast', [integers], { to })
  if (scale === 0) return float(value)
  const power = emitter.constant(to, { kind: 'float', value: 10 ** scale })
  const quotient = emitter.operate('divide', [float(value), power])
  const divisor = integer(emitter, 10n ** BigInt(scale))
  const whole = emitter.operate('divide', [value, divisor])
  const rest = emitter.operate('remainder', [value, divisor])
  const sum = emitter.operate('add', [float(whole), emitter.operate('divide', [float(rest), power])])
  const isLarge = emitter.operate('less', [integer(emitter, EXACT[to]), value])
  const isSmall = emitter.operate('less', [value, integer(emitter, -EXACT[to])])
  return emitter.operate('choose', [quotient, sum, emitter.operate('or', [isLarge, isSmall])])
}

const integer = (emitter: Emitter, value: bigint): Value => emitter.constant(DECIMAL, { kind: 'int', value })

/** The kind of decimals within a program. */
const DECIMAL: Kind = 'i64'

/** The value of an output as columns have it: decimals in 128 bits, unless the plan has them in 64. */
export function asStored(emitter: Emitter, value: Value, type: DataType): Value {
  return isShortDecimal(valueType(type)) ? emitter.operate('widen', [value], { to: 'i128' }) : value
}
