import { ServiceError } from '../../plan/errors.ts'
import { foldSqlName } from '../../plan/statement/statement.ts'
import { declaredType } from '../../plan/types/declared-type.ts'
import { type DataType, type Field, field, type Schema, sameType, typeName } from '../../plan/types/schema.ts'
import type { CreateExternalTable } from '../sql/grammar/node.ts'

const UTF8: DataType = Object.freeze({ kind: 'utf8' })

/** The types of which the name of a folder can have a value. */
const OF_FOLDERS: readonly DataType['kind'][] = ['utf8', 'bool', 'int', 'float', 'date', 'timestamp']

/**
 * The columns of folders `key=value`, in the order of the path. They have the type that the clause or the list of columns gives them, else
 * they are text. Throws `invalid_sql` for a type that is not known or that folders cannot have, and for two different types.
 */
export function partitionFields({ partitions, columns }: CreateExternalTable): readonly Field[] {
  const fields = partitions.map(({ name, type }): Field => {
    const listed = columns?.find((column) => foldSqlName(column.name) === foldSqlName(name))
    const inList = listed === undefined ? null : typeOf(name, listed.type)
    const declaredType = type === null ? null : typeOf(name, type)
    const columnType = declaredType ?? inList ?? UTF8
    if (inList !== null && !sameType(inList, columnType))
      throw new ServiceError(
        'invalid_sql',
        `The column "${name}" is ${typeName(inList)} in the list of columns, and ${typeName(columnType)} behind PARTITIONED BY.`,
      )
    if (!OF_FOLDERS.includes(columnType.kind))
      throw new ServiceError(
        'invalid_sql',
        `PARTITIONED BY: "${name}" cannot be ${typeName(columnType)}; the values of folders are text, numbers, BOOLEAN, DATE or TIMESTAMP.`,
      )
    return field(name, columnType)
  })
  return Object.freeze(fields)
}

/**
 * The columns that a table has by its list of columns, those of folders last. Null: it has no list, and the columns are those of its files.
 * Throws as `partitionFields` does.
 */
export function declaredColumns(statement: CreateExternalTable): Schema | null {
  const { columns } = statement
  if (columns === null) return null
  const partitions = partitionFields(statement)
  const names = new Set(partitions.map(({ name }) => foldSqlName(name)))
  const tableFields = columns
    .filter(({ name }) => !names.has(foldSqlName(name)))
    .map(({ name, type }) => field(name, typeOf(name, type)))
  return Object.freeze({
    fields: Object.freeze([...tableFields, ...partitions]),
    metadata: Object.freeze({}),
  })
}

function typeOf(column: string, written: string): DataType {
  const type = declaredType(written)
  if (type !== null) return type
  throw new ServiceError(
    'invalid_sql',
    `The column "${column}" cannot be ${written}: columns are BOOLEAN, TINYINT to BIGINT and UTINYINT to UBIGINT, FLOAT, DOUBLE, DECIMAL, VARCHAR, BLOB, UUID, DATE, TIME, TIMESTAMP, TIMESTAMP_S, TIMESTAMP_MS, TIMESTAMP_NS or TIMESTAMP WITH TIME ZONE; leave out the list of columns to have those of the files.`,
  )
}
