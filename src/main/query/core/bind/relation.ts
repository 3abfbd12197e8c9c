import { type Condition, TRUE } from '../../../../plan/condition/condition.ts'
import { columnNameOf, isTyped, type TypedExpression } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { foldSqlName, sqlNames } from '../../../../plan/statement/statement.ts'
import { isRows, type SortKey } from '../../../../plan/task/finish.ts'
import { type Field, fieldIndexes, type Schema } from '../../../../plan/types/schema.ts'
import { sqlColumnType } from '../../bind/column-type.ts'
import { decline } from '../../bind/declined.ts'
import type { FilesTable } from '../../source/files-table.ts'
import type { Item } from '../parse/ast.ts'

/** What a `SELECT` reads: rows of files, with their columns under the names that they have in SQL. */
export interface Relation {
  /** The names of the columns in SQL. */
  readonly names: readonly string[]
  /** The index of each column by its name in SQL, in lower case. */
  readonly indexes: ReadonlyMap<string, number>
  /** The same columns, with the types in which a scan reads them: those of files under their names there, and computed ones. */
  readonly fields: readonly Field[]
  /** The same as expressions over columns of the files. Null: each is the column of its field. */
  readonly expressions: readonly TypedExpression[] | null
  /** All columns of the files, likewise. A column of a type that the core declines has its type in the files. */
  readonly source: readonly Field[]
  /** The relation consists of the rows that pass. */
  readonly filter: Condition
  /** As in `ScanSpec`, of the block that reads the files. Null: the block over this relation is that. */
  readonly rowsOf: readonly string[] | null
  /** The numbers of rows that its column of `NUMBER` has. A query over it says how many of each group are left. Absent: it has no such column. */
  readonly numbered?: BoundWindow
  /** Names in SQL, in lower case, of columns of the files that it does not have (`FilesTable`). */
  readonly refused: readonly string[]
}

/** A window of `row_number()`, whose expressions are over columns of the files. */
export interface BoundWindow {
  readonly keys: readonly TypedExpression[]
  readonly order: readonly (Omit<SortKey, 'column'> & { readonly expression: TypedExpression })[]
}

const NO_METADATA: Field['metadata'] = Object.freeze({})

/** The most columns of a table or a list. DuckDB accepts no more either, and reports it. */
const MOST_COLUMNS = 16_384

/** Declines a select list that has too many columns. `width` is the number of columns of its table. */
export function requireFew(items: readonly Item[], width: number): void {
  const columns = items.reduce((sum, { kind }) => sum + (kind === 'star' ? width : 1), 0)
  if (columns > MOST_COLUMNS) decline(`a list of ${columns} columns`)
}

/** Relations by the schemas that they were made from. Queries over the same files share the schema, and so the relation. */
const ofFiles = new WeakMap<Schema, Relation>()

/** Likewise of arrays, whose columns keep their metadata. */
const ofGrids = new WeakMap<Schema, Relation>()

/** The rows of a table's files. Declines tables that SQL cannot have, and those without columns, unless no file was found that has any. */
export function relationOfFiles({
  format,
  schema,
  refused: refusedColumns = [],
  files,
  unlisted,
}: FilesTable): Relation {
  const refused = refusedColumns.map(({ name }) => foldSqlName(name))
  const cachedRelations = format.layout === 'grid' ? ofGrids : ofFiles
  const cachedRelation = cachedRelations.get(schema)
  if (cachedRelation !== undefined && schema.fields.length > 0) return withRefused(cachedRelation, refused)
  const { fields } = schema
  const isWithoutFiles = unlisted === null && files.length === 0
  if ((fields.length === 0 && !isWithoutFiles) || fields.length > MOST_COLUMNS)
    decline(`a table of ${fields.length} columns`)
  const names = sqlNames(schema)
  if (names.some((name) => name.includes('\0'))) decline('a column whose name has no form in SQL')
  // Metadata of other files say more than what values mean, such as the types of extensions.
  const metadataOf = ({ metadata }: Field) => (format.layout === 'grid' ? metadata : NO_METADATA)
  const source = fields.map((each) => ({
    ...each,
    type: sqlColumnType(each.type) ?? each.type,
    metadata: metadataOf(each),
  }))
  const relation: Relation = {
    names,
    indexes: indexesByName(names),
    fields: source,
    expressions: null,
    source,
    filter: TRUE,
    rowsOf: null,
    refused: [],
  }
  cachedRelations.set(schema, relation)
  return withRefused(relation, refused)
}

/** The same relation without these columns. Files of one schema may be asked for other rows, which do not have all of them. */
function withRefused(relation: Relation, refused: readonly string[]): Relation {
  return refused.length === 0 ? relation : { ...relation, refused }
}

/**
 * The relation that is the result of another `SELECT`, over the files that this one reads. Null: it does more than choose rows
 * and columns.
 */
export function relationOfRows(
  { scan, finish, output, offset, limit }: ScanPlan,
  { source }: Relation,
): Relation | null {
  const names = sqlNames(output)
  // DuckDB renames the second of two columns with the same name for the outer query.
  const isPlain = names.every((name, index) => name === output.fields[index]?.name)
  if (!isPlain || !isRows(finish) || offset > 0 || Number.isFinite(limit)) return null
  const indexes = fieldIndexes(source)
  const expressions = scan.projection.flatMap(({ expression }) => (isTyped(expression) ? [expression] : []))
  const fields = scan.projection.map((each) => {
    const column = columnNameOf(each.expression)
    const metadata = column === null ? NO_METADATA : source[indexes.get(column) ?? -1]?.metadata
    return { ...each.field, name: column ?? each.field.name, metadata: metadata ?? NO_METADATA }
  })
  return {
    names,
    indexes: indexesByName(names),
    fields,
    expressions: expressions.every(({ kind }) => kind === 'column') ? null : expressions,
    source,
    filter: scan.filter ?? TRUE,
    rowsOf: scan.rowsOf ?? null,
    refused: [],
  }
}

/** The index of each name in SQL, in lower case. */
export function indexesByName(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [foldSqlName(name), index]))
}
