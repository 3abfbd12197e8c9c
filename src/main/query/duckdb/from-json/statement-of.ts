import { unlessTrue } from '../../../../plan/condition/combine.ts'
import { columnExpression, columnsOfExpressions, constantExpression } from '../../../../plan/expression.ts'
import type { Projection, ScanSpec } from '../../../../plan/scan.ts'
import { type DataType, type Field, field, fieldIndexes, type Schema } from '../../../../plan/types/schema.ts'
import { bindRowFilter, constantsOf, namingFieldsOf, scanSpec } from '../../bind/columns.ts'
import { withoutPatterns } from '../../bind/filters/bind-pattern.ts'
import type { CallableFunctions } from '../../bind/functions.ts'
import { createScope, type Scope } from '../../bind/scope.ts'
import { isPartOf, type Term } from '../../bind/terms.ts'
import type { JsonRequest } from '../../request/request.ts'
import { bindOutputFilters, splitFilters } from './output-filter.ts'
import type { RequestRows } from './request-rows.ts'
import { type StatementWords, statementWords } from './statement-words.ts'
import { quoteWord } from './write.ts'

/** A statement over the rows of one scan. */
interface ScanStatement {
  readonly sql: string
  readonly scan: ScanSpec
}

/** A JSON query, written as a statement. */
export interface JsonStatement extends ScanStatement {
  /** The columns of the answer, in order. */
  readonly outputs: readonly StatementOutput[]
}

interface StatementOutput {
  readonly name: string
  /** The metadata of the source column that it is; empty if it is none. */
  readonly metadata: Readonly<Record<string, string>>
}

export interface StatementOptions {
  readonly functions: CallableFunctions
  /** Binds a statement to find the columns of its answer. */
  schemaOf(statement: ScanStatement): Promise<Schema>
}

/**
 * Writes a request that sorts, asks for distinct rows or calls functions as a statement (docs/reference/json-language.md). The
 * scan evaluates the filters, except those on results of functions. Rows that are equal in all of `sort_by` stay in file order,
 * and of equal rows the first is kept as the distinct one. Throws what `bind` throws, `invalid_query` for an unknown function,
 * and what `schemaOf` throws.
 */
export async function statementOf(
  request: JsonRequest,
  { format, relation, schema, from }: Pick<RequestRows, 'format' | 'relation' | 'schema' | 'from'>,
  { functions, schemaOf }: StatementOptions,
): Promise<JsonStatement> {
  const { fieldOf, named } = namingFieldsOf(schema, relation)
  const scope = createScope(request, schema, fieldOf, functions)
  const words = statementWords(schema, scope)
  const { byCore, byDuckdb } = splitFilters(request.filters, request.select)
  const bound = bindRowFilter(byCore, scope.outputs, fieldOf)
  const filter = bound === null ? null : unlessTrue(withoutPatterns(bound))
  const scanOf = (terms: readonly Term[]): ScanSpec =>
    scanSpec(format, filter, projectionOf(terms, schema, words), schema.fields, named())
  const { condition, terms: compared } = await bindOutputFilters(
    byDuckdb,
    scope.outputOrColumn,
    constantsOf(scope.outputs),
    words.write,
    (terms) => {
      const scan = scanOf(terms)
      const rows = rowsOf(from(scan), terms, [], null, words)
      return schemaOf({ sql: `SELECT ${listOf(terms, words)} FROM ${rows}`, scan })
    },
  )
  const { finals, groups, keys } = scope
  const terms = [...finals.values(), ...(groups ?? []), ...keys, ...compared]
  const scan = scanOf(terms)
  return Object.freeze({
    sql: writeStatement(from(scan), scope, request, terms, condition, words),
    scan,
    outputs: Object.freeze([...finals].map(([name, { metadata }]) => ({ name, metadata }))),
  })
}

function writeStatement(
  source: string,
  { finals, groups, keys }: Scope,
  { limit, offset }: Pick<JsonRequest, 'limit' | 'offset'>,
  terms: readonly Term[],
  condition: string | null,
  words: StatementWords,
): string {
  const isOrdered = groups !== null || keys.length > 0
  const order = keys.map(
    ({ expression, direction }) => `${words.write(expression)} ${direction.toUpperCase()} NULLS LAST`,
  )
  const row = quoteWord(words.row)
  // No two rows are equal in the order if they are distinct in a subset of its keys.
  const isNumbered = isOrdered && (groups === null || !isPartOf(groups, keys))
  if (isNumbered) order.push(row)
  const numbers = isNumbered ? [`row_number() OVER () AS ${row}`] : []
  const rows = rowsOf(source, terms, numbers, condition, words)

  const on = groups === null ? '' : `DISTINCT ON (${listOf(groups, words)}) `
  // Rows of one group are equal in the order, so the first row that DuckDB finds can be kept before it sorts. That takes less
  // than half the time of sorting first.
  const isFirstToCome = groups !== null && isPartOf(keys, groups)
  const list = listOf([...finals.values()], words)
  return [
    isFirstToCome ? `SELECT ${list} FROM (SELECT ${on}* FROM ${rows})` : `SELECT ${on}${list} FROM ${rows}`,
    ...(isOrdered ? [`ORDER BY ${order.join(', ')}`] : []),
    ...(Number.isFinite(limit) ? [`LIMIT ${limit}`] : []),
    ...(offset > 0 ? [`OFFSET ${offset}`] : []),
  ].join(' ')
}

/** A subquery of the scan's rows that pass the condition, with the computed columns that `terms` need, and `items`. */
function rowsOf(
  source: string,
  terms: readonly Term[],
  items: readonly string[],
  condition: string | null,
  words: StatementWords,
): string {
  const computed = words.computed(terms)
  const rows = computed.length === 0 ? source : `(SELECT *, ${computed.join(', ')} FROM ${source})`
  if (items.length === 0 && condition === null) return rows
  const where = condition === null ? '' : ` WHERE ${condition}`
  return `(SELECT ${['*', ...items].join(', ')} FROM ${rows}${where})`
}

function listOf(terms: readonly Term[], words: StatementWords): string {
  return terms.map(({ expression }) => words.write(expression)).join(', ')
}

/** The source columns that terms need, under their words. There is at least one column, as in every table of DuckDB. */
function projectionOf(
  terms: readonly Term[],
  { fields }: Schema,
  words: StatementWords,
): readonly Projection[] {
  const indexes = fieldIndexes(fields)
  const names = columnsOfExpressions(terms.map(({ expression }) => expression))
  const sources: readonly Field[] = names.flatMap((name) => fields[indexes.get(name) ?? -1] ?? [])
  const projection = sources.map((source) =>
    Object.freeze({
      expression: columnExpression(source.name, source.type),
      field: Object.freeze({ ...source, name: words.column(source.name) }),
    }),
  )
  if (projection.length > 0) return Object.freeze(projection)
  return Object.freeze([
    Object.freeze({ expression: constantExpression(null, BOOL), field: field(words.filler, BOOL) }),
  ])
}

const BOOL: DataType = Object.freeze({ kind: 'bool' })
