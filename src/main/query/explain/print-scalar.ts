import { printInterval } from '../../../plan/kernels/interval-text.ts'
import { intervalOf } from '../../../plan/kernels/intervals.ts'
import { printDecimal } from '../../../plan/types/print-decimal.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { type DataType, SECOND_DIGITS, typeName } from '../../../plan/types/schema.ts'
import { printUuid } from '../../../plan/types/uuid.ts'

/** Prints a constant with its type: `Int64(20)`, `Utf8("a")`, `Timestamp(us, UTC)(2020-01-01T00:00:00Z)`. */
export function printScalar(scalar: Scalar, type: DataType): string {
  return `${typeName(type)}(${printValue(scalar, type)})`
}

/** The most characters of a text that are printed. */
const MOST_CHARS = 100

/** Prints a constant without its type. Text is printed as a JSON string. */
export function printValue(scalar: Scalar, type: DataType): string {
  switch (scalar.kind) {
    case 'bool':
      return String(scalar.value)
    case 'float':
      return type.kind === 'float' && type.bits === 32 ? printFloat32(scalar.value) : String(scalar.value)
    case 'bytes': {
      if (type.kind === 'uuid') return printUuid(scalar.value)
      const interval = type.kind === 'interval' ? intervalOf(scalar) : null
      if (interval !== null) return printInterval(interval)
      const text = new TextDecoder().decode(scalar.value)
      return JSON.stringify(text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text)
    }
    case 'int':
      return printInteger(scalar.value, type)
  }
}

/** Prints a 32-bit float with the fewest digits that round to it. */
function printFloat32(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const printed = Number(value.toPrecision(digits))
    if (Math.fround(printed) === value) return String(printed)
  }
  return String(value)
}

function printInteger(value: bigint, type: DataType): string {
  switch (type.kind) {
    case 'decimal':
      return printDecimal(value, type.scale)
    case 'date':
      return type.unit === 'day'
        ? printInstant(value * 86_400n, 0).replace('T00:00:00', '')
        : printInstant(value, 3)
    case 'timestamp':
      return printInstant(value, SECOND_DIGITS[type.unit]) + (type.zone === null ? '' : 'Z')
    case 'time':
      return printInstant(value, SECOND_DIGITS[type.unit]).replace('1970-01-01T', '')
    default:
      return String(value)
  }
}

/** The range of a JavaScript date: so many milliseconds before and after 1970. */
const DATE_RANGE_MS = 8_640_000_000_000_000n

/**
 * Prints the UTC time of a count of 10^-`digits` seconds since 1970. Outside the range of a JavaScript date, which ends in the
 * year 275760, the count itself is printed.
 */
function printInstant(count: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits)
  const fraction = ((count % perSecond) + perSecond) % perSecond
  const ms = ((count - fraction) / perSecond) * 1_000n
  if (ms > DATE_RANGE_MS || ms < -DATE_RANGE_MS) return String(count)
  const whole = new Date(Number(ms)).toISOString().slice(0, -'.000Z'.length)
  return fraction === 0n ? whole : `${whole}.${String(fraction).padStart(digits, '0')}`
}
