import { parseInstant } from '../../../../plan/types/instant.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type DataType, SECOND_DIGITS } from '../../../../plan/types/schema.ts'

const INTEGER = /^[+-]?\d{1,20}$/
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
])
const DATE = /^\d{4}-\d\d-\d\d$/
const DAY_NS = 86_400_000_000_000n

/**
 * The value of a folder `key=value` in the type that its column is declared with. Null: the text is no value of the type. Integers may
 * have zeros before them, as in `month=01`.
 */
export function declaredValue(text: string, type: DataType): Scalar | null {
  switch (type.kind) {
    case 'utf8':
      return { kind: 'bytes', value: new TextEncoder().encode(text) }
    case 'bool':
      return /^(?:true|false)$/i.test(text) ? { kind: 'bool', value: text.toLowerCase() === 'true' } : null
    case 'int': {
      if (!INTEGER.test(text)) return null
      const value = BigInt(text.replace(/^\+/, ''))
      const held = type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value)
      return held === value ? { kind: 'int', value } : null
    }
    case 'float': {
      const value = DECIMAL.test(text) ? Number(text) : SPECIAL.get(text.toLowerCase())
      if (value === undefined) return null
      return { kind: 'float', value: type.bits === 32 ? Math.fround(value) : value }
    }
    case 'date':
      return DATE.test(text) ? timeOf(text, type.unit === 'day' ? DAY_NS : 1_000_000n) : null
    case 'timestamp':
      return timeOf(text, 10n ** BigInt(9 - SECOND_DIGITS[type.unit]))
    default:
      return null
  }
}

/** A time in units of so many nanoseconds since 1970. Null: it is none, or lies between two units. */
function timeOf(text: string, unitNs: bigint): Scalar | null {
  const instant = parseInstant(text, null)
  if (instant === null || instant % unitNs !== 0n) return null
  const value = instant / unitNs
  return BigInt.asIntN(64, value) === value ? { kind: 'int', value } : null
}
