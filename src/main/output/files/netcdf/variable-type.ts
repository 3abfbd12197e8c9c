import { ServiceError } from '../../../../plan/errors.ts'
import type { PlannedAttributes } from '../../../../plan/output/attribute-plan.ts'
import type { Nc4Type } from '../../../../plan/output/nc4-type.ts'
import type { VariableType } from '../../../../plan/output/netcdf-plan.ts'
import { quoteSqlName } from '../../../../plan/statement/statement.ts'
import {
  type DataType,
  type Field,
  type IntType,
  typeName,
  valueType,
} from '../../../../plan/types/schema.ts'

/** How the values of a column are stored in a flat file. Throws `not_supported` for a type that has no variable. */
export function variableType({ name, type }: Field): VariableType {
  const values = valueType(type)
  const stored = typeOf(values)
  if (stored !== null) return stored
  throw new ServiceError(
    'not_supported',
    `output.format: column ${JSON.stringify(name)} has the type ${typeName(values)}, for which NetCDF has none; use ${adviceFor(values, quoteSqlName(name))}`,
  )
}

/** Null: the type is refused. */
function typeOf(type: DataType): VariableType | null {
  switch (type.kind) {
    case 'int':
      return plain(integerType(type))
    case 'float':
      return type.bits === 16 ? null : plain(type.bits === 32 ? 'float' : 'double')
    case 'timestamp':
      return Object.freeze({ type: 'int64', width: null, attributes: timeAttributes(`${type.unit}s`) })
    case 'date':
      return type.unit === 'day'
        ? Object.freeze({ type: 'int', width: null, attributes: timeAttributes('days') })
        : Object.freeze({ type: 'int64', width: null, attributes: timeAttributes('milliseconds') })
    case 'utf8':
      return plain('string')
    case 'fixed_binary':
      return type.width === 0 ? null : Object.freeze({ type: 'char', width: type.width, attributes: NONE })
    default:
      return null
  }
}

const NONE = Object.freeze({})

function plain(type: Nc4Type): VariableType {
  return Object.freeze({ type, width: null, attributes: NONE })
}

const INTEGERS = Object.freeze({
  i8: 'byte',
  u8: 'ubyte',
  i16: 'short',
  u16: 'ushort',
  i32: 'int',
  u32: 'uint',
  i64: 'int64',
  u64: 'uint64',
}) satisfies Readonly<Record<string, Nc4Type>>

export function integerType({ signed, bits }: IntType) {
  return INTEGERS[`${signed ? 'i' : 'u'}${bits}`]
}

/** Those of the CF conventions for times since 1970. */
function timeAttributes(units: string): PlannedAttributes {
  return Object.freeze({
    calendar: 'gregorian',
    standard_name: 'time',
    units: `${units} since 1970-01-01T00:00:00Z`,
  })
}

/** An expression of SQL that has a type which is written. `column` is in quotes. */
function adviceFor(type: DataType, column: string): string {
  switch (type.kind) {
    case 'bool':
      return `CAST(${column} AS UTINYINT)`
    case 'float':
      return `CAST(${column} AS REAL)`
    case 'null':
    case 'decimal':
      return `CAST(${column} AS DOUBLE)`
    case 'duration':
    case 'interval':
      return `epoch(${column}), its seconds`
    case 'binary':
    case 'fixed_binary':
      return `hex(${column})`
    default:
      return `CAST(${column} AS VARCHAR)`
  }
}
