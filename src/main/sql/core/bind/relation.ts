import { columnIn } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import type { Predicate } from '../../../../plan/predicate/predicate.ts'
import { sqlNames } from '../../../../plan/statement/statement.ts'
import { isRows } from '../../../../plan/task/finish.ts'
import type { Field, Schema } from '../../../../plan/types/schema.ts'
import { sqlColumnType } from '../../../query/bind/column-type.ts'
import { TRUE } from '../../../query/bind/combine.ts'
import { decline } from '../../../query/bind/declined.ts'
import type { Item } from '../parse/ast.ts'

/** What a `SELECT` reads: rows of files, and their columns by the names that they have there. */
export interface Relation {
  readonly names: readonly string[]
  /** At the places of the names, as the files call them, in the types that a scan reads. */
  readonly fields: readonly Field[]
  /** All columns of the files alike; a type that no statement of the core reads is as the files have it. */
  readonly source: readonly Field[]
  /** Rows that do not pass are none of it. */
  readonly filter: Predicate
}

/** More columns than DuckDB takes, which says so. */
const MOST_COLUMNS = 16_384

/** Leaves a list that gives too many columns, of a table of so many. */
export function requireFew(items: readonly Item[], width: number): void {
  const columns = items.reduce((sum, { kind }) => sum + (kind === 'star' ? width : 1), 0)
  if (columns > MOST_COLUMNS) decline(`a list of ${columns} columns`)
}

/** Relations by the schemas that they were made of: queries of the same files share both. */
const ofFiles = new WeakMap<Schema, Relation>()

export function relationOfFiles(schema: Schema): Relation {
  const known = ofFiles.get(schema)
  if (known !== undefined) return known
  const { fields } = schema
  if (fields.length === 0 || fields.length > MOST_COLUMNS) decline(`a table of ${fields.length} columns`)
  const names = sqlNames(schema)
  if (names.some((name) => name.includes('\0'))) decline('a column whose name has no form in SQL')
  const source = fields.map((each) => ({ ...each, type: sqlColumnType(each.type) ?? each.type }))
  const relation: Relation = { names, fields: source, source, filter: TRUE }
  ofFiles.set(schema, relation)
  return relation
}

/** The rows of another `SELECT`, as rows of what it reads; null: it does more than to choose rows and columns. */
export function relationOfRows(
  { scan, finish, output, offset, limit }: ScanPlan,
  { source }: Relation,
): Relation | null {
  const names = sqlNames(output)
  // A name that comes twice is another one outside.
  const isPlain = names.every((name, place) => name === output.fields[place]?.name)
  if (!isPlain || !isRows(finish) || offset > 0 || Number.isFinite(limit)) return null
  const fields = scan.projection.flatMap((each) => {
    const column = columnIn(each.expression)
    return column === null ? [] : [{ ...each.field, name: column }]
  })
  return { names, fields, source, filter: scan.filter ?? TRUE }
}
