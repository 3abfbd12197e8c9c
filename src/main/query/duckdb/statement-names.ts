import { ServiceError } from '../../../plan/errors.ts'
import type { NamedDefinition } from '../../../plan/statement/definition.ts'
import { foldSqlName, type SourceRequest, type TableRequest } from '../../../plan/statement/statement.ts'
import { type CatalogTable, MOST_NESTED_VIEWS, PUBLIC } from '../../catalog/catalog.ts'
import { printName } from '../../catalog/written-name.ts'
import { ANY_ATTACHED, type KnownNames } from '../../sql/gate/check-names.ts'
import { readStatement, type Statement } from '../../sql/gate/gate.ts'
import type { WrittenName } from '../../sql/grammar/node.ts'
import type { QueryContext } from '../source/query-context.ts'

/** A query as DuckDB is given it, and the names in it that stand where a table may stand. */
export type QueryText = Pick<Statement, 'text' | 'tables'>

/**
 * What the names in a statement may mean, with all below its views. Only DuckDB knows which of them are tables, so that there may be
 * more than it reads.
 */
export interface StatementNames {
  /** Each comes after all that it reads. */
  readonly definitions: readonly NamedDefinition[]
  /** The names that mean nothing to the caller, in lower case. */
  readonly absent: readonly string[]
  /** The tables among them whose columns are known, so that to open them takes no time. */
  readonly stored: readonly TableRequest[]
  /** Adds a name that DuckDB has found. Returns what it means; null: nothing, or what is there already. */
  add(name: WrittenName): CatalogTable | null
  /** The view that reads what the statement itself does not name. Null: there is none. */
  viewOver(request: SourceRequest): CatalogTable | null
  /**
   * The table or view that the statement names and that reads something, by whatever views below it, as the statement writes its name.
   * If it is not known which view does, it is any of them. Null: the statement itself names files.
   */
  tableOver(request: SourceRequest): string | null
}

/** The most tables and views of one statement. To make one takes DuckDB about 1 ms. */
const MOST_NAMED = 1024

/** Looks the names up on behalf of the caller. Throws `invalid_sql` if there are too many below them. */
export function statementNames(
  statement: QueryText,
  { lookups, catalog, formats }: Pick<QueryContext, 'lookups' | 'catalog' | 'formats'>,
): StatementNames {
  const definitions: NamedDefinition[] = []
  const absent: string[] = []
  const stored: TableRequest[] = []
  const views: CatalogTable[] = []
  /** For each view the name in the statement by which it was reached. */
  const reachedBy = new Map<CatalogTable, WrittenName>()
  const reachedKeys = new Set<string>()
  const queryIn = (view: CatalogTable): QueryText =>
    queryOf(view, { formats, catalog: catalog.name, isAttached: ANY_ATTACHED })

  function add(
    written: WrittenName,
    find: (name: WrittenName) => CatalogTable | null,
    above: number,
    root = written,
  ): CatalogTable | null {
    if (!isPublic(written)) return null
    const key = foldSqlName(written.name)
    if (reachedKeys.has(key)) return null
    reachedKeys.add(key)
    const table = find(written)
    if (table === null) {
      absent.push(key)
      return null
    }
    if (above === MOST_NESTED_VIEWS || definitions.length === MOST_NAMED) throw tooMany(table)
    const query = table.query === null ? null : queryIn(table)
    for (const below of query?.tables ?? []) add(below, lookups.findBelow, above + 1, root)
    definitions.push({ name: table.name, digest: table.digest, query: query?.text ?? null })
    if (query !== null) {
      views.push(table)
      reachedBy.set(table, root)
    } else if (table.columns !== null)
      stored.push({ kind: 'table', catalog: null, schema: null, name: table.name })
    return table
  }

  // All that the statement itself names is recorded, even if a view that it names reads the same.
  const publicNames = statement.tables.filter(isPublic)
  for (const name of publicNames) lookups.table(name)
  for (const name of publicNames) add(name, lookups.findBelow, 0)
  return {
    definitions,
    absent,
    stored,
    add: (name) => add(name, lookups.table, 0),
    viewOver(request) {
      if (isNamedIn(statement, request)) return null
      return views.find((view) => isNamedIn(queryIn(view), request)) ?? null
    },
    tableOver(request) {
      const table = request.kind === 'table' ? findNamed(publicNames, request) : undefined
      if (table !== undefined) return printName(table)
      // If a view names the same files as the statement, that view is refused too.
      const above = views.find((view) => isNamedIn(queryIn(view), request))
      const view = above ?? (isNamedIn(statement, request) ? undefined : views[0])
      const root = view && reachedBy.get(view)
      return root === undefined ? null : printName(root)
    },
  }
}

/** Whether it is the name of a table of users. The tables of the service itself are always there. */
function isPublic({ schema }: WrittenName): boolean {
  return schema === null || foldSqlName(schema) === PUBLIC
}

/** Whether a query names a table, or the first of some files. Its text may make the path from parts: then it does not. */
function isNamedIn({ text, tables }: QueryText, request: SourceRequest): boolean {
  switch (request.kind) {
    case 'table':
      return findNamed(tables, request) !== undefined
    case 'files':
      return text.includes(`'${(request.paths[0] ?? '').replaceAll("'", "''")}'`)
    case 'system':
      return foldSqlName(text).includes(request.name)
  }
}

/** The one of some names that means the same. */
function findNamed(names: readonly WrittenName[], { name }: WrittenName): WrittenName | undefined {
  return names.find((each) => foldSqlName(each.name) === foldSqlName(name))
}

function queryOf(view: CatalogTable, names: KnownNames): QueryText {
  const { text, tables } = readStatement(view.query ?? '', names)
  return { text, tables }
}

function tooMany({ name }: CatalogTable): ServiceError {
  return new ServiceError(
    'invalid_sql',
    `There are more than ${MOST_NAMED} tables and views below those that the statement names, or views of views more than ${MOST_NESTED_VIEWS} deep, such as ${JSON.stringify(name)}.`,
  )
}
