import { foldSqlName } from '../../../../plan/statement/statement.ts'
import { type Field, typeName } from '../../../../plan/types/schema.ts'
import { sqlColumnType } from '../../../query/bind/column-type.ts'
import { decline } from '../../../query/bind/declined.ts'
import type { ColumnName } from '../parse/ast.ts'
import type { Relation } from './relation.ts'

/** The columns of a relation by their names in SQL. */
export interface TableColumns extends Relation {
  has(name: string): boolean
  /** The place of a column. */
  placeOf(column: ColumnName): number
  /** The column at a place, which the core reads, by its name in the files. */
  fieldAt(place: number, at: number): Field
}

/** `alias` is what the statement calls the relation. */
export function createTableColumns(relation: Relation, alias: string | null): TableColumns {
  const { names, fields } = relation
  const places = foldedPlaces(names)
  const has = (name: string): boolean => places.has(foldSqlName(name))
  return {
    ...relation,
    has,
    placeOf({ table, name, at }) {
      if (table !== null) requireAlias(table, alias, has(table), at)
      const place = places.get(foldSqlName(name))
      return place ?? decline(`the name "${name}", which no column has`, at)
    },
    fieldAt(place, at) {
      const field = fields[place]
      if (field === undefined) throw new RangeError(`column ${place} of ${fields.length}`)
      if (sqlColumnType(field.type) === null)
        decline(`the column "${field.name}" of type ${typeName(field.type)}`, at)
      return field
    },
  }
}

/** Places of names as SQL tells them apart, by the list of names, which queries of the same files share. */
const folded = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

function foldedPlaces(names: readonly string[]): ReadonlyMap<string, number> {
  const known = folded.get(names)
  if (known !== undefined) return known
  const places = new Map(names.map((name, place) => [foldSqlName(name), place]))
  folded.set(names, places)
  return places
}

/** Otherwise the name before a dot may be that of a column with fields. */
export function requireAlias(table: string, alias: string | null, isColumn: boolean, at: number): void {
  if (alias === null || foldSqlName(alias) !== foldSqlName(table) || isColumn)
    decline(`the name "${table}" before a dot`, at)
}
