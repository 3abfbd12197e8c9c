import { type Field, type Schema, typeName } from '../../../plan/schema.ts'
import { foldSqlName, sqlNames } from '../../../plan/sql.ts'
import { sqlColumnType } from '../column-type.ts'
import { leave } from '../leave.ts'
import type { ColumnName } from './ast.ts'

/** The columns of a table by their names in SQL. */
export interface TableColumns {
  /** In the types that a scan reads; those that no statement of the core reads as they are in the files. */
  readonly schema: Schema
  readonly names: readonly string[]
  has(name: string): boolean
  /** The place of a column that the core reads. */
  placeOf(column: ColumnName): number
  /** The column at a place, by its name in the files. */
  fieldAt(place: number, at: number): Field
}

/** More columns than DuckDB takes, which says so. */
const MOST_COLUMNS = 16_384

/** `alias` is what the statement calls the table. */
export function createTableColumns({ fields, metadata }: Schema, alias: string | null): TableColumns {
  if (fields.length === 0 || fields.length > MOST_COLUMNS) leave(`a table of ${fields.length} columns`)
  const names = sqlNames({ fields, metadata })
  if (names.some((name) => name.includes('\0'))) leave('a column whose name has no form in SQL')
  const types = fields.map(({ type }) => sqlColumnType(type))
  const places = new Map(names.map((name, place) => [foldSqlName(name), place]))
  const columns: TableColumns = {
    schema: { fields: fields.map((each, place) => ({ ...each, type: types[place] ?? each.type })), metadata },
    names,
    has: (name) => places.has(foldSqlName(name)),
    placeOf({ table, name, at }) {
      // Otherwise the name before the dot may be that of a column with fields.
      if (table !== null) requireAlias(table, alias, columns.has(table), at)
      const place = places.get(foldSqlName(name))
      return place ?? leave(`the name "${name}", which no column has`, at)
    },
    fieldAt(place, at) {
      const field = columns.schema.fields[place]
      if (field === undefined) throw new RangeError(`column ${place} of ${fields.length}`)
      if (types[place] === null) leave(`the column "${field.name}" of type ${typeName(field.type)}`, at)
      return field
    },
  }
  return columns
}

export function requireAlias(table: string, alias: string | null, isColumn: boolean, at: number): void {
  if (alias === null || foldSqlName(alias) !== foldSqlName(table) || isColumn)
    leave(`the name "${table}" before a dot`, at)
}
