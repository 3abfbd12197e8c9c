import { ServiceError } from '../../plan/errors.ts'
import { distinctSqlNames } from '../../plan/statement/statement.ts'
import { type DataType, type Field, type TimeUnit, typeName, valueType } from '../../plan/types/schema.ts'
import { childTypes } from '../core/layout.ts'
import { typeCode } from '../core/type-code.ts'
import type { LogicalType } from './logical-type.ts'

/** The most items of DuckDB's `ARRAY`. */
const MAX_ARRAY_ITEMS = 99_999
/** The most digits of DuckDB's `DECIMAL`. */
const MAX_DIGITS = 38

/** The type of a column in DuckDB (docs/reference/sql.md). Throws `not_supported` for a nested type that DuckDB does not have. */
export function inputType({ name, type }: Field): LogicalType {
  return logicalType(type, name)
}

function logicalType(type: DataType, column: string): LogicalType {
  const of = (field: Field) => logicalType(field.type, column)
  switch (type.kind) {
    case 'null':
      return { kind: 'integer' }
    case 'bool':
      return { kind: 'boolean' }
    case 'int':
      return { kind: `${type.signed ? '' : 'u'}${INTEGERS[type.bits]}` }
    case 'float':
      return { kind: type.bits === 64 ? 'double' : 'float' }
    case 'decimal':
      return isExact(type)
        ? { kind: 'decimal', width: type.precision, scale: type.scale }
        : { kind: 'double' }
    case 'utf8':
      return { kind: 'varchar' }
    case 'binary':
    case 'fixed_binary':
      return { kind: 'blob' }
    case 'uuid':
      return { kind: 'uuid' }
    case 'date':
      return { kind: 'date' }
    case 'time':
      return { kind: type.unit === 'nanosecond' ? 'column_time_ns' : 'time' }
    case 'timestamp':
      if (type.zone === null) return { kind: TIMESTAMPS[type.unit] }
      return { kind: type.unit === 'nanosecond' ? 'timestamptz_ns' : 'timestamp_tz' }
    case 'duration':
    case 'interval':
      return { kind: 'interval' }
    case 'list':
    case 'large_list':
      return { kind: 'list', item: of(type.item) }
    case 'fixed_list':
      if (type.size < 1 || type.size > MAX_ARRAY_ITEMS) throw lacking(type, column)
      return { kind: 'array', item: of(type.item), size: type.size }
    case 'struct': {
      if (type.fields.length === 0) throw lacking(type, column)
      const names = structNames(type.fields.map(({ name }) => name))
      return {
        kind: 'struct',
        fields: type.fields.map((field, index) => ({ name: names[index] ?? '', type: of(field) })),
      }
    }
    case 'dictionary':
      return logicalType(type.value, column)
    case 'map': {
      const entries = type.entries.type
      const [key, value] = entries.kind === 'struct' ? entries.fields : []
      if (key === undefined || value === undefined) throw lacking(type, column)
      return { kind: 'map', key: of(key), value: of(value) }
    }
  }
}

/** If the first field has no name, DuckDB ignores the names of the others and refers to fields by position. */
function structNames(names: readonly string[]): readonly string[] {
  return names[0] === '' ? names : distinctSqlNames(names)
}

const INTEGERS = Object.freeze({ 8: 'tinyint', 16: 'smallint', 32: 'integer', 64: 'bigint' } as const)

const TIMESTAMPS = Object.freeze({
  second: 'timestamp_s',
  millisecond: 'timestamp_ms',
  microsecond: 'timestamp',
  nanosecond: 'timestamp_ns',
} as const satisfies Record<TimeUnit, string>)

/** The argument of `Core.duckColumn`: for a type, and then for each of its children, the type code and the digits of a `DECIMAL`. */
export function duckForms(type: DataType): number[] {
  const value = valueType(type)
  const precision = value.kind === 'decimal' && isExact(value) ? value.precision : 0
  return [...typeCode(type), precision, ...childTypes(type).flatMap(duckForms)]
}

function isExact({ precision, scale }: Extract<DataType, { kind: 'decimal' }>): boolean {
  return precision >= 1 && precision <= MAX_DIGITS && scale >= 0 && scale <= precision
}

function lacking(type: DataType, column: string): ServiceError {
  return new ServiceError(
    'not_supported',
    `SQL has no type for ${typeName(type)}, of column "${column}". Leave the column out with the JSON language's "select".`,
  )
}
