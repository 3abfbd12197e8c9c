import { foldSqlName, quoteSqlName, sqlNames } from '../../../../plan/statement/statement.ts'
import type { DataType, Schema } from '../../../../plan/types/schema.ts'
import type { WrittenRemoteTable } from '../../../remotes/remote-table-name.ts'
import { printTable } from '../../../remotes/sql/print-names.ts'
import { decline } from '../../bind/declined.ts'
import { printType } from '../parse/parse-type.ts'

/** The columns of a table that a statement names, and those of them that it computes with, by their names in lower case. */
interface NamedColumns {
  readonly named: ReadonlySet<string>
  readonly computed: ReadonlySet<string>
}

/**
 * Prints a table of another service as the source of a statement. Columns with which the statement computes are cast to the types that they have here if
 * they may have others there that look alike in answers: an ENUM has another order than a text, and a HUGEINT has other sums than a BIGINT. Such a
 * cast is nothing where the column has the type.
 */
export function printSource(
  { schema, name }: WrittenRemoteTable,
  columns: Schema,
  { named, computed }: NamedColumns,
): string {
  const table = printTable(schema, name)
  const names = sqlNames(columns)
  const needsCast = (place: number, type: DataType): boolean =>
    hasAlike(type) && computed.has(foldSqlName(names[place] ?? ''))
  if (!columns.fields.some(({ type }, place) => needsCast(place, type))) return table
  const list = columns.fields.flatMap((field, place) => {
    if (!named.has(foldSqlName(names[place] ?? ''))) return []
    // Another name in SQL would be another one there too, but only if it has the same columns.
    if (field.name !== names[place] || field.name.includes('\0'))
      return decline('columns without names of their own')
    const column = quoteSqlName(field.name)
    if (!needsCast(place, field.type)) return [column]
    const type = printType(field.type) ?? decline('a column of a type without a form')
    return [`CAST(${column} AS ${type}) AS ${column}`]
  })
  return `(SELECT ${list.join(', ')} FROM ${table})`
}

/** Whether several types of SQL are this one in answers: HUGEINT and BIGINT, ENUM and VARCHAR, BIT and BLOB. */
function hasAlike(type: DataType): boolean {
  return type.kind === 'utf8' || type.kind === 'binary' || (type.kind === 'int' && type.bits === 64)
}
