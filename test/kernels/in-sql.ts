import type { Expression } from '../../src/plan/expression.ts'
import { intervalOf } from '../../src/plan/kernels/intervals.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { type DataType, typeName } from '../../src/plan/types/schema.ts'
import { INFINITE_DAY, INFINITE_TIME, type TestColumn } from './rows.ts'

/** DuckDB's name of a type. */
function sqlType(type: DataType): string {
  switch (type.kind) {
    case 'bool':
      return 'BOOLEAN'
    case 'int':
      return `${type.signed ? '' : 'U'}${{ 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT' }[type.bits]}`
    case 'float':
      return type.bits === 32 ? 'FLOAT' : 'DOUBLE'
    case 'utf8':
      return 'VARCHAR'
    case 'date':
      return 'DATE'
    case 'time':
      return 'TIME'
    case 'timestamp':
      if (type.zone !== null) return type.unit === 'nanosecond' ? 'TIMESTAMPTZ_NS' : 'TIMESTAMPTZ'
      return {
        second: 'TIMESTAMP_S',
        millisecond: 'TIMESTAMP_MS',
        microsecond: 'TIMESTAMP',
        nanosecond: 'TIMESTAMP_NS',
      }[type.unit]
    default:
      throw new TypeError(`no type ${typeName(type)} in the tests`)
  }
}

function sqlInterval(value: Scalar | null): string {
  const interval = intervalOf(value)
  if (interval === null) throw new TypeError('no interval')
  const { months, days, micros } = interval
  return `(to_months(${months}) + to_days(${days}) + to_microseconds(${micros}))`
}

/** A value in SQL. */
function sqlValue(type: DataType, value: Scalar | null): string {
  if (type.kind === 'interval') return sqlInterval(value)
  const name = sqlType(type)
  if (value === null) return `NULL::${name}`
  switch (value.kind) {
    case 'bool':
      return String(value.value)
    case 'bytes':
      return `'${Buffer.from(value.value).toString('utf8')}'`
    case 'float': {
      const text = Object.is(value.value, -0) ? '-0.0' : String(value.value).replace('Infinity', 'inf')
      return type.kind === 'float' && type.bits === 32 ? `'${text}'::DOUBLE::FLOAT` : `'${text}'::DOUBLE`
    }
    case 'int': {
      const infinite = type.kind === 'date' ? BigInt(INFINITE_DAY) : INFINITE_TIME
      const isTime = type.kind === 'date' || type.kind === 'timestamp'
      if (isTime && (value.value === infinite || value.value === -infinite))
        return `'${value.value < 0n ? '-' : ''}infinity'::${name}`
      switch (type.kind) {
        case 'date':
          return `(DATE '1970-01-01' + ${value.value}::INTEGER)`
        case 'time':
          return `(TIME '00:00:00' + to_microseconds(${value.value}))`
        case 'timestamp':
          if (type.zone !== null) return `${sqlValue({ ...type, zone: null }, value)}::${name}`
          return {
            second: `make_timestamp(${value.value * 1_000_000n})::TIMESTAMP_S`,
            millisecond: `make_timestamp(${value.value * 1000n})::TIMESTAMP_MS`,
            microsecond: `make_timestamp(${value.value})`,
            nanosecond: `make_timestamp_ns(${value.value})`,
          }[type.unit]
        default:
          return `'${value.value}'::${name}`
      }
    }
  }
}

/** The rows as a table in FROM. */
export function sqlRows(
  columns: readonly TestColumn[],
  from = 0,
  to = columns[0]?.values.length ?? 0,
): string {
  const rows = Array.from({ length: to - from }, (_, row) =>
    columns.map(({ type, values }) => sqlValue(type, values[from + row] ?? null)).join(', '),
  )
  const head = columns.map(({ type }) => sqlValue(type, null)).join(', ')
  // The first row, which has no values, gives the columns their types.
  const names = ['row_number', ...columns.map(({ name }) => name)].join(', ')
  const body = rows.map((row, index) => `(${index}, ${row})`).join(', ')
  return `(SELECT * FROM (VALUES (-1, ${head})${body === '' ? '' : `, ${body}`}) v(${names}) WHERE row_number >= 0 ORDER BY row_number) t`
}

const INFIX: ReadonlySet<string> = new Set([
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  '&',
  '|',
  'and',
  'or',
  'like',
  'ilike',
  '||',
])

/** An expression in SQL. */
export function sqlExpression(expression: Expression): string {
  if (expression.kind === 'column') return expression.column
  if (expression.kind === 'group') throw new TypeError('a column of groups')
  if (expression.kind === 'constant') return sqlValue(expression.type, expression.value)
  const { name } = expression
  const args = expression.args.map(sqlExpression)
  const [first = '', second = '', ...others] = args
  if (INFIX.has(name) && args.length > 1) return `(${args.join(` ${name.toUpperCase()} `)})`
  const type = expression.type === null ? '' : sqlType(expression.type)
  switch (name) {
    case '-':
    case '~':
      return `(${name}(${first}))`
    case 'not':
      return `(NOT (${first}))`
    case 'is_null':
      return `(${first} IS NULL)`
    case 'is_not_null':
      return `(${first} IS NOT NULL)`
    case 'is_distinct_from':
      return `(${first} IS DISTINCT FROM ${second})`
    case 'is_not_distinct_from':
      return `(${first} IS NOT DISTINCT FROM ${second})`
    case 'between':
      return `(${first} BETWEEN ${second} AND ${others[0]})`
    case 'in':
      return `(${first} IN (${[second, ...others].join(', ')}))`
    case 'cast':
    case 'try_cast':
      return `${name}(${first} AS ${type})`
    case 'case': {
      const branches = Array.from(
        { length: (args.length - 1) / 2 },
        (_, index) => `WHEN ${args[2 * index]} THEN ${args[2 * index + 1]}`,
      )
      return `(CASE ${branches.join(' ')} ELSE ${args.at(-1)} END)`
    }
    case 'date_add':
      return `(${first} + ${second})`
    default:
      return `${name}(${args.join(', ')})`
  }
}
