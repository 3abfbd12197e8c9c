import { columnExpression, constantExpression } from '../../../plan/expression.ts'
import type { Projection, ScanSpec } from '../../../plan/scan.ts'
import { type DataType, field, type Schema } from '../../../plan/types/schema.ts'
import { bindRowFilter, constantsOf, fieldsOf, projectEntry, scanSpec } from '../../query/bind/columns.ts'
import type { CallableFunctions } from '../../query/bind/functions.ts'
import { createScope, type Scope } from '../../query/bind/scope.ts'
import type { Term } from '../../query/bind/terms.ts'
import type { SupportedJson } from '../../query/request/supported.ts'
import type { Source } from '../../query/source/files-table.ts'
import { bindOutputFilters, splitFilters } from './output-filter.ts'
import { quoteWord } from './write.ts'

/** A statement over one scan. */
export interface ScanStatement {
  readonly sql: string
  /** What `_rows(0)` stands for. */
  readonly scan: ScanSpec
}

/** A JSON query as a statement. */
export interface JsonStatement extends ScanStatement {
  /** Its columns in the answer, in order. */
  readonly outputs: readonly StatementOutput[]
}

export interface StatementOutput {
  readonly name: string
  /** What the files say of the column, if it is one of theirs. */
  readonly metadata: Readonly<Record<string, string>>
}

export interface StatementOptions {
  readonly functions: CallableFunctions
  /** The columns that a statement gives. */
  schemaOf(statement: ScanStatement): Promise<Schema>
}

/**
 * The statement of a request that sorts, asks for distinct rows or calls functions (docs/reference/json-language.md).
 * The core evaluates the filters, but for those on what functions give. Rows that are equal in all of `sort_by` come in
 * file order, and of rows that are not distinct the first stays. Throws what `bind` throws, `invalid_query` for what is
 * no function, and what `schemaOf` throws.
 */
export async function statementOf(
  request: SupportedJson,
  { format, relation }: Source,
  schema: Schema,
  { functions, schemaOf }: StatementOptions,
): Promise<JsonStatement> {
  const { select, filters } = request
  const fieldOf = fieldsOf(schema, relation)
  const scope = createScope(request, schema, fieldOf, functions)
  const { onColumns, onOutputs } = splitFilters(filters, select)

  const plain = select.flatMap((entry) => (entry.kind === 'function' ? [] : projectEntry(entry, fieldOf)))
  const byName = new Map(plain.map((each) => [each.field.name, each]))
  const filter = bindRowFilter(onColumns, byName, fieldOf)
  const scanOf = (terms: readonly Term[]): ScanSpec =>
    scanSpec(format, filter, projectionOf(terms, scope.fillerWord), schema.fields)
  const { condition, terms: compared } = await bindOutputFilters(
    onOutputs,
    scope.outputOrColumn,
    constantsOf(byName),
    (terms) =>
      schemaOf({ sql: `SELECT ${listOf(terms)} FROM ${rowsOf(terms, [], null)}`, scan: scanOf(terms) }),
  )
  const { finals, groups, keys } = scope
  const terms = [...finals.values(), ...(groups ?? []), ...keys, ...compared]
  return Object.freeze({
    sql: writeStatement(scope, request, terms, condition),
    scan: scanOf(terms),
    outputs: Object.freeze([...finals].map(([name, term]) => ({ name, metadata: metadataOf(term) }))),
  })
}

function writeStatement(
  { finals, groups, keys, rowWord }: Scope,
  { limit, offset }: Pick<SupportedJson, 'limit' | 'offset'>,
  terms: readonly Term[],
  condition: string | null,
): string {
  const isOrdered = groups !== null || keys.length > 0
  const order = keys.map(({ sql, direction }) => `${sql} ${direction.toUpperCase()} NULLS LAST`)
  const row = quoteWord(rowWord)
  // Of rows that are distinct in what is sorted by, none are equal.
  const isNumbered = isOrdered && (groups === null || !isPartOf(groups, keys))
  if (isNumbered) order.push(row)
  const rows = rowsOf(terms, isNumbered ? [`row_number() OVER () AS ${row}`] : [], condition)

  const on = groups === null ? '' : `DISTINCT ON (${listOf(groups)}) `
  // Rows that are not distinct are equal in what is sorted by: the first to come stays, at less than half the cost.
  const isFirstToCome = groups !== null && isPartOf(keys, groups)
  const list = listOf([...finals.values()])
  return [
    isFirstToCome ? `SELECT ${list} FROM (SELECT ${on}* FROM ${rows})` : `SELECT ${on}${list} FROM ${rows}`,
    ...(isOrdered ? [`ORDER BY ${order.join(', ')}`] : []),
    ...(Number.isFinite(limit) ? [`LIMIT ${limit}`] : []),
    ...(offset > 0 ? [`OFFSET ${offset}`] : []),
  ].join(' ')
}

/** The scan's rows that meet the condition, with what `terms` are made of, and `items`. */
function rowsOf(terms: readonly Term[], items: readonly string[], condition: string | null): string {
  const definitions = [...new Set(terms.flatMap((term) => term.definitions))]
  const rows = definitions.length === 0 ? '_rows(0)' : `(SELECT *, ${definitions.join(', ')} FROM _rows(0))`
  if (items.length === 0 && condition === null) return rows
  const where = condition === null ? '' : ` WHERE ${condition}`
  return `(SELECT ${['*', ...items].join(', ')} FROM ${rows}${where})`
}

/** Whether each of the terms is one of the others. */
export function isPartOf(part: readonly Term[], whole: readonly Term[]): boolean {
  const all = new Set(whole.map(({ sql }) => sql))
  return part.every(({ sql }) => all.has(sql))
}

function listOf(terms: readonly Term[]): string {
  return terms.map(({ sql }) => sql).join(', ')
}

/** The columns that terms are made of, under their words. A table of DuckDB has at least one: `filler`. */
function projectionOf(terms: readonly Term[], filler: string): readonly Projection[] {
  const columns = new Map(terms.flatMap((term) => term.columns.map(({ word, source }) => [word, source])))
  const projection = [...columns].map(
    ([word, source]): Projection =>
      Object.freeze({
        expression: columnExpression(source.name, source.type),
        field: Object.freeze({ ...source, name: word }),
      }),
  )
  if (projection.length > 0) return Object.freeze(projection)
  return Object.freeze([
    Object.freeze({ expression: constantExpression(null, BOOL), field: field(filler, BOOL) }),
  ])
}

const BOOL: DataType = Object.freeze({ kind: 'bool' })

/** What the files say of a term, if it is one of their columns. */
export function metadataOf({ sql, columns }: Term): Readonly<Record<string, string>> {
  const [column] = columns
  return column !== undefined && sql === quoteWord(column.word) ? column.source.metadata : {}
}
