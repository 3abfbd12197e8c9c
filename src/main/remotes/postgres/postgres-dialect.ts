import { SQL_OPERATORS } from '../../../plan/condition/compare.ts'
import { quoteSqlName } from '../../../plan/statement/statement.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { DECIMAL_DIGITS, type Field } from '../../../plan/types/schema.ts'
import { printUuid } from '../../../plan/types/uuid.ts'
import type { ComparedColumn } from '../sql/print-condition.ts'
import { printText } from '../sql/print-text.ts'
import { printDay, printTime } from '../sql/print-time.ts'
import type { PrintedAggregate, RemoteAggregate } from '../sql/remote-aggregate.ts'
import { countField, postgresType, printColumn } from './column-type.ts'

/** The SQL of PostgreSQL for a table with these columns. Strings have no escapes there: `BEGIN` in `catalog-queries.ts` sees to it. */
export function createPostgresDialect(fields: readonly Field[]): {
  readonly printColumn: (name: string) => string
  readonly printComparison: (compared: ComparedColumn) => string | null
  readonly isExact: (compared: ComparedColumn) => boolean
  readonly printOrdered: (name: string) => string | null
  readonly printGroupKey: (name: string) => string | null
  readonly printAggregate: (aggregate: RemoteAggregate) => PrintedAggregate | null
} {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return {
    printColumn(name) {
      const field = byName.get(name)
      return field === undefined ? quoteSqlName(name) : printColumn(field)
    },
    printComparison(compared) {
      const field = byName.get(compared.name)
      return field === undefined || field.type.kind === 'list' ? null : printComparison(compared, field)
    },
    // Two texts may be equal under a collation that is not deterministic, and differ here.
    isExact({ name, comparison }) {
      const field = byName.get(name)
      return field !== undefined && !(comparison === 'eq' && TEXTS.has(postgresType(field)))
    },
    printOrdered: (name) => printCompared(byName.get(name)),
    // Of both zeros, and of numbers that are equal with other digits, one stands for all.
    printGroupKey: (name) => (isFloat(byName.get(name)) ? null : printCompared(byName.get(name))),
    printAggregate(aggregate) {
      if (aggregate.kind === 'count_rows') return { text: 'count(*)', field: countField() }
      const { kind, column } = aggregate
      const field = byName.get(column)
      if (field === undefined) return null
      if (kind === 'count') return { text: `count(${quoteSqlName(column)})`, field: countField() }
      const type = postgresType(field)
      const isInteger = INTEGERS.has(type) && field.type.kind === 'int'
      if (kind === 'sum') {
        const text = `sum(${quoteSqlName(column)})`
        if (field.type.kind === 'decimal')
          return { text, field: { ...field, type: { ...field.type, precision: DECIMAL_DIGITS[128] } } }
        // Of int8 it is a NUMERIC there.
        return isInteger ? { text: `CAST(${text} AS int8)`, field: countField() } : null
      }
      if (isFloat(field) || WITHOUT_EXTREMES.has(type)) return null
      const compared = printCompared(field)
      return compared === null ? null : { text: `${kind}(${compared})`, field }
    },
  }
}

/** Types that are read as text of any length, without blanks at its end that mean nothing. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'varchar', 'name'])

/** Other types whose values are ordered as they are here. Of NUMERIC those that are decimals are. */
const ORDERED: ReadonlySet<string> = new Set([
  ...['int2', 'int4', 'int8', 'float4', 'float8', 'bool'],
  ...['date', 'time', 'timestamp', 'timestamptz', 'uuid', 'bytea'],
])

const INTEGERS: ReadonlySet<string> = new Set(['int2', 'int4', 'int8'])

/** Ordered types of which PostgreSQL 14 has no min and max. That of `name` is text. */
const WITHOUT_EXTREMES: ReadonlySet<string> = new Set(['bool', 'uuid', 'bytea', 'name'])

function isFloat(field: Field | undefined): boolean {
  return field?.type.kind === 'float'
}

/** A column in the order of its values here. Null: it has none there, or another one. */
function printCompared(field: Field | undefined): string | null {
  if (field === undefined || field.type.kind === 'list') return null
  const type = postgresType(field)
  if (TEXTS.has(type)) return `${quoteSqlName(field.name)} COLLATE "C"`
  const isOrdered = type === 'numeric' ? field.type.kind === 'decimal' : ORDERED.has(type)
  return isOrdered ? quoteSqlName(field.name) : null
}

/**
 * PostgreSQL compares numbers, times, UUIDs and bytes as this service does: NaN is the greatest float, and equal to itself. Text is
 * equal there if it is here, under any collation; its order is that of its bytes under "C" alone. Of other types, among them CHAR, which
 * leaves out blanks at the end, and NUMERIC that is read as a DOUBLE, nothing is compared there.
 */
function printComparison({ name, type, comparison, value }: ComparedColumn, field: Field): string | null {
  const column = quoteSqlName(name)
  switch (postgresType(field)) {
    case 'text':
    case 'varchar':
    case 'name': {
      const text = value.kind === 'bytes' ? printText(value.value) : null
      if (text === null) return null
      const collated = comparison === 'eq' ? column : `${column} COLLATE "C"`
      return `${collated} ${SQL_OPERATORS[comparison]} CAST(${text} AS text)`
    }
    case 'bool':
      // Of two truths there is nothing to leave out but one of them.
      return value.kind === 'bool' && comparison === 'eq'
        ? `${column} = ${value.value ? 'TRUE' : 'FALSE'}`
        : null
    default: {
      const printed = printConstant(value, postgresType(field), type)
      return printed && `${column} ${SQL_OPERATORS[comparison]} ${printed}`
    }
  }
}

const LEAST_INT64 = -(2n ** 63n)
const GREATEST_INT64 = 2n ** 63n - 1n

/** The most bytes of a constant of BYTEA. */
const MOST_BYTES = 4096

const MICROSECONDS = 6
const DAY_SECONDS = 86_400n

/** A constant of a type of PostgreSQL. Null: it has no form there, or the type is compared here alone. */
function printConstant(scalar: Scalar, name: string, type: ComparedColumn['type']): string | null {
  const { value } = scalar
  const cast = (text: string, target: string = name): string => `CAST('${text}' AS ${target})`
  switch (name) {
    case 'int2':
    case 'int4':
    case 'int8':
      if (typeof value !== 'bigint' || value < LEAST_INT64 || value > GREATEST_INT64) return null
      return cast(String(value), 'int8')
    case 'float4':
    case 'float8':
      return typeof value === 'number' && Number.isFinite(value) ? cast(String(value), 'float8') : null
    case 'numeric':
      if (type.kind !== 'decimal' || typeof value !== 'bigint') return null
      return cast(`${value}e${-type.scale}`)
    case 'date': {
      const day = typeof value === 'bigint' ? printDay(value) : null
      return day && cast(day)
    }
    case 'time': {
      const time = typeof value === 'bigint' && isTimeOfDay(value) ? printTime(value, MICROSECONDS) : null
      return time && cast(time.slice(11))
    }
    case 'timestamp':
    case 'timestamptz': {
      const time = typeof value === 'bigint' ? printTime(value, MICROSECONDS) : null
      return time && cast(name === 'timestamptz' ? `${time}+00` : time)
    }
    case 'uuid':
      return value instanceof Uint8Array && value.length === 16 ? cast(printUuid(value)) : null
    case 'bytea':
      if (!(value instanceof Uint8Array) || value.length > MOST_BYTES) return null
      return cast(`\\x${Buffer.from(value).toString('hex')}`)
    default:
      return null
  }
}

function isTimeOfDay(microseconds: bigint): boolean {
  return microseconds >= 0n && microseconds < DAY_SECONDS * 1_000_000n
}
