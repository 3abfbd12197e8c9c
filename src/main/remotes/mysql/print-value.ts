import { quoteSqlName } from '../../../plan/statement/statement.ts'
import type { Field } from '../../../plan/types/schema.ts'
import { SORTED_BYTES } from './catalog-queries.ts'
import { charsetOf, hasZeroDates, lengthOf, mysqlType, printColumn } from './column-type.ts'

/** Whether a date is one here. Unknown for null. */
export function printIsOfCalendar(field: Field): string {
  const column = quoteSqlName(field.name)
  // Of these there is no other than the one of zeros.
  if (mysqlType(field) === 'timestamp') return `DAYOFMONTH(${column}) > 0`
  // The year 0 is no leap year there.
  return `DAYOFMONTH(${column}) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(${column})) + (YEAR(${column}) = 0 AND MONTH(${column}) = 2)`
}

/** A column that is null where it is null here. */
export function printNullable(field: Field): string {
  const column = quoteSqlName(field.name)
  return hasZeroDates(field) ? `IF(${printIsOfCalendar(field)}, ${column}, NULL)` : column
}

/** A text in UTF-8. */
export function printConverted(field: Field): string {
  const column = quoteSqlName(field.name)
  return charsetOf(field) === 'utf8mb4' ? column : `CONVERT(${column} USING utf8mb4)`
}

/** The bytes of a text in UTF-8, which are in the order of here. */
export function printTextBytes(field: Field): string {
  return `CAST(${printConverted(field)} AS BINARY)`
}

/** The most bytes of a character in UTF-8. */
const CHARACTER_BYTES = 4

/**
 * A column in the order of its values here, equal values being equal there. Null: it has none there, or another one. `areAllBytesRead`:
 * whether the order counts beyond the first bytes of a value.
 */
export function printOrdered(field: Field, areAllBytesRead: boolean): string | null {
  switch (mysqlType(field)) {
    case 'tinyint':
    case 'smallint':
    case 'mediumint':
    case 'int':
    case 'bigint':
    case 'year':
    case 'bit':
    case 'float':
    case 'double':
    case 'uuid':
      return printColumn(field)
    case 'decimal':
      return field.type.kind === 'decimal' ? printColumn(field) : null
    case 'date':
    case 'datetime':
    case 'timestamp':
      return printNullable(field)
    case 'char':
    case 'varchar':
      return areAllBytesRead || isShort(field, CHARACTER_BYTES) ? printTextBytes(field) : null
    case 'binary':
    case 'varbinary':
      return areAllBytesRead || isShort(field, 1) ? printColumn(field) : null
    case 'tinytext':
    case 'text':
    case 'mediumtext':
    case 'longtext':
      return areAllBytesRead ? printTextBytes(field) : null
    default:
      return null
  }
}

/** Whether a server orders by all bytes of a value, of which each character has so many at most. */
function isShort(field: Field, most: number): boolean {
  const length = lengthOf(field)
  return length !== null && length * most <= SORTED_BYTES
}
