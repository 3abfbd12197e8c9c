import { SQL_OPERATORS } from '../../../plan/condition/compare.ts'
import { quoteSqlName } from '../../../plan/statement/statement.ts'
import { printDecimal } from '../../../plan/types/print-decimal.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { Field } from '../../../plan/types/schema.ts'
import { printUuid } from '../../../plan/types/uuid.ts'
import type { ComparedColumn } from '../sql/print-condition.ts'
import { printText } from '../sql/print-text.ts'
import { printDay, printTime } from '../sql/print-time.ts'
import { charsetOf, mysqlType, printColumn } from './column-type.ts'
import { printConverted, printIsOfCalendar, printTextBytes } from './print-value.ts'

/** The most bytes of a constant of a binary type. */
const MOST_BYTES = 4096

const MICROSECONDS = 6

/** Decimals have so many digits behind the point at most (MySQL, "DECIMAL Data Type Characteristics"). */
const MOST_SCALE = 30

/** Integers from the least of 64 bits with a sign to the greatest without one are compared as such. */
const LEAST_INT = -(2n ** 63n)
const GREATEST_INT = 2n ** 64n - 1n

/**
 * A comparison that the same rows pass there as here. MySQL compares numbers, dates and bytes as this service does. Text is equal there if it
 * is here, under any collation, which an index serves; what it is here is told by its bytes alone, whose order is the one of `utf8mb4_bin`
 * without blanks behind shorter texts. Dates that no calendar has are left out, since they are null here. Of other types nothing is compared
 * there.
 */
export function printMysqlComparison(
  { type, comparison, value }: ComparedColumn,
  field: Field,
): string | null {
  const column = quoteSqlName(field.name)
  const sign = SQL_OPERATORS[comparison]
  switch (mysqlType(field)) {
    case 'char':
    case 'varchar':
    case 'tinytext':
    case 'text':
    case 'mediumtext':
    case 'longtext':
      return printTextComparison(field, comparison, value)
    case 'tinyint':
    case 'smallint':
    case 'mediumint':
    case 'int':
    case 'bigint':
      return printCompared(column, sign, printInteger(value))
    case 'year':
      // A number, else 70 would be 1970.
      return printCompared(`(${column} + 0)`, sign, printInteger(value))
    case 'bit':
      return printCompared(printColumn(field), sign, printInteger(value))
    case 'float':
      // Indexes of a float are searched for the nearest float.
      return printCompared(
        column,
        sign,
        value.kind === 'float' && Math.fround(value.value) === value.value ? printFloat(value) : null,
      )
    case 'double':
      return printCompared(column, sign, printFloat(value))
    case 'decimal':
      return printCompared(
        column,
        sign,
        type.kind === 'decimal' && value.kind === 'int' && type.scale <= MOST_SCALE
          ? printDecimal(value.value, type.scale)
          : null,
      )
    case 'date':
      return withCalendar(printCompared(column, sign, printDate(value)), field)
    case 'datetime':
    case 'timestamp': {
      const time = value.kind === 'int' ? printTime(value.value, MICROSECONDS) : null
      return withCalendar(printCompared(column, sign, time && `CAST('${time}' AS DATETIME(6))`), field)
    }
    case 'binary':
    case 'varbinary':
    case 'tinyblob':
    case 'blob':
    case 'mediumblob':
    case 'longblob':
      return printCompared(column, sign, printBytes(value))
    case 'uuid':
      if (value.kind !== 'bytes' || value.value.length !== 16) return null
      // Its own order is another one.
      return comparison === 'eq'
        ? `${column} = '${printUuid(value.value)}'`
        : printCompared(printColumn(field), sign, printBytes(value))
    default:
      return null
  }
}

function printCompared(column: string, sign: string, constant: string | null): string | null {
  return constant && `${column} ${sign} ${constant}`
}

/** Character sets whose first 128 characters are those of ASCII, so that such a constant is one of theirs. */
const LIKE_ASCII: ReadonlySet<string> = new Set(['utf8mb4', 'utf8mb3', 'utf8', 'latin1', 'ascii'])

function printTextComparison(
  field: Field,
  comparison: ComparedColumn['comparison'],
  value: Scalar,
): string | null {
  const text = value.kind === 'bytes' ? printText(value.value) : null
  if (text === null) return null
  const compared = `${printTextBytes(field)} ${SQL_OPERATORS[comparison]} CAST(${text} AS BINARY)`
  if (comparison !== 'eq') return compared
  const charset = charsetOf(field)
  const isAscii = /^[\0-\x7f]*$/.test(text)
  const isAsStored = charset === 'utf8mb4' || (isAscii && LIKE_ASCII.has(charset))
  return `(${isAsStored ? quoteSqlName(field.name) : printConverted(field)} = ${text} AND ${compared})`
}

/** Leaves out dates that no calendar has. */
function withCalendar(comparison: string | null, field: Field): string | null {
  return comparison && `(${comparison} AND ${printIsOfCalendar(field)})`
}

function printInteger({ value }: Scalar): string | null {
  return typeof value === 'bigint' && value >= LEAST_INT && value <= GREATEST_INT ? String(value) : null
}

/** A DOUBLE: a number without an exponent would be a DECIMAL. */
function printFloat({ value }: Scalar): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  const text = String(value)
  return text.includes('e') ? text : `${text}e0`
}

function printDate({ value }: Scalar): string | null {
  const day = typeof value === 'bigint' ? printDay(value) : null
  return day && `CAST('${day}' AS DATE)`
}

function printBytes({ value }: Scalar): string | null {
  if (!(value instanceof Uint8Array) || value.length > MOST_BYTES) return null
  return `x'${Buffer.from(value).toString('hex')}'`
}
