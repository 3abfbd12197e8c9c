import type { Predicate } from '../../plan/predicate/predicate.ts'
import type { Scalar } from '../../plan/types/scalar.ts'
import { type DataType, SECOND_DIGITS } from '../../plan/types/schema.ts'
import { printQuoted } from './print-names.ts'

/**
 * Prints a condition for another service, in SQL that services of this kind read alike. Rows that pass it here pass what is printed, and
 * others may: it is applied again here. Null: there is nothing of it that the other service could leave out.
 */
export function printCondition(predicate: Predicate): string | null {
  switch (predicate.op) {
    case 'and': {
      const parts = predicate.args.flatMap((arg) => printCondition(arg) ?? [])
      return parts.length === 0 ? null : joinParts(parts, 'AND')
    }
    case 'or': {
      const parts = predicate.args.flatMap((arg) => printCondition(arg) ?? [])
      return parts.length < predicate.args.length ? null : joinParts(parts, 'OR')
    }
    case 'is_null':
    case 'is_not_null': {
      const name = printColumn(predicate.operand)
      return name && `${name} IS ${predicate.op === 'is_null' ? 'NULL' : 'NOT NULL'}`
    }
    case 'compare':
      return printComparison(predicate)
    case 'between': {
      const { operand, low, high } = predicate
      return (
        printBounds(operand, [
          ['>=', printBound(low, operand.type, 'low')],
          ['<=', printBound(high, operand.type, 'high')],
        ]) ?? null
      )
    }
    case 'in': {
      const { operand, values } = predicate
      const name = printColumn(operand)
      if (name === null || values.length > MOST_VALUES || values.length === 0) return null
      const printed = values.map((value) => printEqual(name, value, operand.type))
      return printed.every((each) => each !== null) ? joinParts(printed, 'OR') : null
    }
    default:
      return null
  }
}

/** Of more values the rows come as they are. */
const MOST_VALUES = 200

/** Longer text is not sent: a statement has to fit into the body of a request. */
const MOST_CHARACTERS = 4096

type Compare = Extract<Predicate, { readonly op: 'compare' }>

function printComparison({ operand, comparison, value }: Compare): string | null {
  const { type } = operand
  const name = printColumn(operand)
  if (name === null) return null
  switch (comparison) {
    case 'eq':
      return printEqual(name, value, type)
    case 'neq': {
      const printed = printBound(value, type, 'high')
      return printed && `${name} <> ${printed}`
    }
    case 'gt':
      return printBounds(operand, [['>', printBound(value, type, 'high')]])
    case 'gt_eq':
      return printBounds(operand, [['>=', printBound(value, type, 'low')]])
    case 'lt':
      return printBounds(operand, [['<', printBound(value, type, 'high')]])
    case 'lt_eq':
      return printBounds(operand, [['<=', printBound(value, type, 'high')]])
  }
}

/** Equality. Where −0.0 and 0.0 are told apart, both of them are asked for. */
function printEqual(name: string, value: Scalar, type: DataType): string | null {
  const [low, high] = [printBound(value, type, 'low'), printBound(value, type, 'high')]
  if (low === null || high === null) return null
  return low === high ? `${name} = ${low}` : `(${name} >= ${low} AND ${name} <= ${high})`
}

function printBounds(
  operand: Compare['operand'],
  bounds: readonly (readonly [string, string | null])[],
): string | null {
  const name = printColumn(operand)
  // Truths have no order that all services know.
  if (name === null || operand.type.kind === 'bool') return null
  const printed = bounds.flatMap(([sign, bound]) => (bound === null ? [] : [`${name} ${sign} ${bound}`]))
  return printed.length === 0 ? null : joinParts(printed, 'AND')
}

function printColumn(operand: Compare['operand']): string | null {
  return operand.kind === 'column' ? printQuoted(operand.column) : null
}

function joinParts(parts: readonly string[], word: 'AND' | 'OR'): string {
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(` ${word} `)})`
}

/** A constant as a bound. Of zero the low one is −0.0, which some services order before 0.0. Null: it has no form that all services read alike. */
function printBound(value: Scalar, type: DataType, side: 'low' | 'high'): string | null {
  switch (value.kind) {
    case 'bool':
      return type.kind === 'bool' ? String(value.value).toUpperCase() : null
    case 'float': {
      if (!Number.isFinite(value.value)) return null
      const zero = side === 'low' ? '-0.0' : '0.0'
      return `CAST('${value.value === 0 ? zero : value.value}' AS DOUBLE)`
    }
    case 'bytes':
      return type.kind === 'utf8' ? printText(value.value) : null
    case 'int':
      return printInteger(value.value, type)
  }
}

function printText(bytes: Uint8Array): string | null {
  if (bytes.length > MOST_CHARACTERS) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : `'${text.replaceAll("'", "''")}'`
  } catch {
    return null
  }
}

const LEAST_INT64 = -(2n ** 63n)
const GREATEST_INT64 = 2n ** 63n - 1n

function printInteger(value: bigint, type: DataType): string | null {
  switch (type.kind) {
    case 'int':
      return value < LEAST_INT64 || value > GREATEST_INT64 ? null : `CAST('${value}' AS BIGINT)`
    case 'date': {
      const day = type.unit === 'day' ? printTime(value * 86_400n, 0) : null
      return day && `CAST('${day.slice(0, 10)}' AS DATE)`
    }
    case 'timestamp': {
      if (type.zone !== null) return null
      const time = printTime(value, SECOND_DIGITS[type.unit])
      return time && `CAST('${time}' AS TIMESTAMP)`
    }
    default:
      return null
  }
}

/** The seconds since 1970 of the years between which nanoseconds are times everywhere: 1678 and 2262. */
const LEAST_SECOND = BigInt(Date.UTC(1678, 0) / 1000)
const GREATEST_SECOND = BigInt(Date.UTC(2262, 0) / 1000)

/** Services have microseconds at least. */
const MOST_DIGITS = 6

/** Prints a count of 10^-`digits` seconds since 1970. Null: not all services have the time. */
function printTime(count: bigint, digits: number): string | null {
  const perSecond = 10n ** BigInt(digits)
  const fraction = ((count % perSecond) + perSecond) % perSecond
  const seconds = (count - fraction) / perSecond
  if (seconds < LEAST_SECOND || seconds >= GREATEST_SECOND) return null
  const text = String(fraction).padStart(digits, '0')
  if (/[^0]/.test(text.slice(MOST_DIGITS))) return null
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')
  return fraction === 0n ? whole : `${whole}.${text.slice(0, MOST_DIGITS)}`
}
