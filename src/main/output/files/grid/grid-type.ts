import { ServiceError } from '../../../../plan/errors.ts'
import type { GridType } from '../../../../plan/output/grid-plan.ts'
import { quoteSqlName } from '../../../../plan/statement/statement.ts'
import { type DataType, type Field, typeName, valueType } from '../../../../plan/types/schema.ts'

const INTEGERS = Object.freeze({
  8: ['byte', 'ubyte'],
  16: ['short', 'ushort'],
  32: ['int', 'uint'],
  64: ['int64', 'uint64'],
} as const)

/** The type that the values of a column have in a grid. Throws `not_supported` for a type that a grid does not have. */
export function gridType({ name, type }: Field): GridType {
  const values = valueType(type)
  const storageType = typeOf(values)
  if (storageType !== null) return storageType
  throw new ServiceError(
    'not_supported',
    `The column ${JSON.stringify(name)} has the type ${typeName(values)}; a grid has numbers, booleans and times alone. ${adviceFor(values, name)}`,
  )
}

/** Null: the type is refused. */
function typeOf(type: DataType): GridType | null {
  switch (type.kind) {
    case 'bool':
      return 'ubyte'
    case 'int':
      return INTEGERS[type.bits][type.signed ? 0 : 1]
    case 'float':
      return type.bits === 16 ? null : type.bits === 32 ? 'float' : 'double'
    case 'date':
      return type.unit === 'day' ? 'int' : 'int64'
    case 'time':
      return type.unit === 'second' || type.unit === 'millisecond' ? 'int' : 'int64'
    case 'timestamp':
    case 'duration':
      return 'int64'
    default:
      return null
  }
}

function adviceFor(type: DataType, name: string): string {
  const column = quoteSqlName(name)
  switch (type.kind) {
    case 'float':
      return `Use CAST(${column} AS REAL).`
    case 'decimal':
    case 'null':
      return `Use CAST(${column} AS DOUBLE).`
    case 'interval':
      return `Use epoch(${column}), its seconds.`
    case 'utf8':
      return `Leave it out, or use CAST(${column} AS DOUBLE) if its texts are numbers.`
    default:
      return 'Leave it out, or select numbers of it.'
  }
}
