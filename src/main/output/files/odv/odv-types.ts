import { ServiceError } from '../../../../plan/errors.ts'
import { quoteSqlName } from '../../../../plan/statement/statement.ts'
import { type DataType, type Field, typeName, valueType } from '../../../../plan/types/schema.ts'

/** The types of values that the header of a file names. */
export type OdvValueType = 'INTEGER' | 'FLOAT' | 'DOUBLE' | 'INDEXED_TEXT'

/** What the header says of the values of a column. Null: the format has no form for them. */
export function odvValueType(type: DataType): OdvValueType | null {
  switch (valueType(type).kind) {
    case 'int':
      return 'INTEGER'
    case 'float':
      return 'FLOAT'
    case 'timestamp':
      return 'DOUBLE'
    case 'utf8':
    case 'bool':
    case 'null':
      return 'INDEXED_TEXT'
    default:
      return null
  }
}

/** The SQL type that a column has to be cast to. Null: there is no cast that helps. */
function castOf({ kind }: DataType): string | null {
  switch (kind) {
    case 'decimal':
      return 'DOUBLE'
    case 'date':
      return 'TIMESTAMP'
    case 'list':
    case 'large_list':
    case 'fixed_list':
    case 'struct':
    case 'map':
      return null
    default:
      return 'VARCHAR'
  }
}

/** Throws `not_supported` for a column whose values the format has no form for. `path` is the JSON path of its name. */
export function requireOdvType({ name, type }: Field, path: string): void {
  if (odvValueType(type) !== null) return
  const cast = castOf(valueType(type))
  const advice = cast === null ? 'leave it out' : `cast it in SQL: CAST(${quoteSqlName(name)} AS ${cast})`
  refuse(name, type, path, `which the ODV format has no form for; ${advice}`)
}

/** Throws `not_supported` for a coordinate that is no number. */
export function requireNumber({ name, type }: Field, path: string): void {
  const { kind } = valueType(type)
  if (kind === 'int' || kind === 'float' || kind === 'null') return
  refuse(
    name,
    type,
    path,
    `which is neither an integer nor a float; cast it in SQL: CAST(${quoteSqlName(name)} AS DOUBLE)`,
  )
}

/** Throws `not_supported` for times that are neither timestamps nor text. */
export function requireTime({ name, type }: Field, path: string): void {
  const { kind } = valueType(type)
  if (kind === 'timestamp' || kind === 'utf8' || kind === 'null') return
  refuse(name, type, path, `which is no timestamp; cast it in SQL: CAST(${quoteSqlName(name)} AS TIMESTAMP)`)
}

/** Throws `not_supported` for feature types that are not text. */
export function requireText({ name, type }: Field, path: string): void {
  const { kind } = valueType(type)
  if (kind === 'utf8' || kind === 'null') return
  refuse(name, type, path, `which is no text; cast it in SQL: CAST(${quoteSqlName(name)} AS VARCHAR)`)
}

function refuse(name: string, type: DataType, path: string, why: string): never {
  const column = JSON.stringify(name)
  throw new ServiceError(
    'not_supported',
    `${path}: column ${column} has the type ${typeName(type)}, ${why}`,
    {
      column: name,
    },
  )
}
