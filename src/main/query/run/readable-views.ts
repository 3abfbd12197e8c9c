import { randomUUID } from 'node:crypto'
import { isServiceError } from '../../../plan/errors.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import { SCHEMA_IN_DUCKDB } from '../../../plan/statement/system-relations.ts'
import type { Caller } from '../../auth/caller.ts'
import type { CatalogTable } from '../../catalog/catalog.ts'
import { createLookups, type Lookups } from '../../catalog/lookups.ts'
import { inSlices } from '../../datasets/patterns/slices.ts'
import type { Select } from '../../sql/core/parse/ast.ts'
import { rowsOfView } from '../../sql/duckdb/request/request-rows.ts'
import type { KnownNames, TableName } from '../../sql/gate/check-names.ts'
import { isServiceFunction } from '../../sql/gate/forbidden.ts'
import { readStatement } from '../../sql/gate/gate.ts'
import { isSign } from '../../sql/text/tokens.ts'
import { NO_COLUMN_FILTER } from '../source/column-filter.ts'
import { REFUSALS } from '../source/named/refusals.ts'
import type { QueryContext } from '../source/query-context.ts'
import { resolveSource } from '../source/resolve-source.ts'
import { lookingUp } from './look-ups.ts'
import type { QueryServiceOptions } from './options.ts'
import { resolutionOf } from './resolution.ts'

/** Tables whose queries are read in one turn of the event loop: some milliseconds of it if none of them is known. */
const READ_AT_ONCE = 128

/**
 * Those of some tables that a query would not refuse to the caller, who may read all of them by their names: a view may read files that
 * the caller may not, or what is not there any more. Files are found for that, as a query finds them.
 */
export async function readableOf(
  options: QueryServiceOptions,
  tables: readonly CatalogTable[],
  caller: Caller,
  signal: AbortSignal,
): Promise<readonly CatalogTable[]> {
  if (caller.rights.isEverything) return tables
  const names = { formats: options.formats, catalog: options.catalog.name }
  const lookups = createLookups(options.catalog, caller)
  const views = tables.filter(({ query }) => query !== null)
  const inDoubt: CatalogTable[] = []
  for await (const some of inSlices(views, signal, READ_AT_ONCE))
    inDoubt.push(...some.filter((table) => isInDoubt(table, lookups, names)))
  if (inDoubt.length === 0) return tables
  const refused = new Set<CatalogTable>()
  await lookingUp(options, signal, async (ticket) => {
    const context: QueryContext = {
      ...options,
      ...resolutionOf(options, lookups, signal),
      ticket,
      signal,
      onAnswer() {},
      onObjects() {},
      onNotice() {},
    }
    for (const view of inDoubt) {
      signal.throwIfAborted()
      if (!(await isReadable(view, options, context))) refused.add(view)
    }
  })
  return tables.filter((table) => !refused.has(table))
}

/** Whether rights on names do not decide it: a view that reads files or tables of the service, or a name that nothing has, itself or through other views. */
function isInDoubt(table: CatalogTable, lookups: Lookups, names: KnownNames): boolean {
  if (table.query === null) return false
  const reached = new Set([table])
  for (const each of reached) {
    const read = readBy(each, names)
    if (read.isOfService) return true
    for (const name of read.tables) {
      const below = lookups.below(name)
      if (below !== null) reached.add(below)
      else if (name.isCommon !== true) return true
    }
  }
  return false
}

/** What a query reads, as far as its text tells. */
interface ReadByQuery {
  /** Whether it calls a function of the service that makes rows, or names a table of the service. */
  readonly isOfService: boolean
  readonly tables: readonly TableName[]
}

const NOTHING: ReadByQuery = Object.freeze({ isOfService: false, tables: Object.freeze([]) })

/** What views read, which never changes. */
const readByViews = new WeakMap<CatalogTable, ReadByQuery>()

function readBy(view: CatalogTable, names: KnownNames): ReadByQuery {
  if (view.query === null) return NOTHING
  const known = readByViews.get(view)
  if (known !== undefined) return known
  const { tokens, tables } = readStatement(view.query, names)
  const isOfService = tokens.some(
    ({ kind, text }, index) =>
      kind !== 'string' &&
      (SCHEMAS.has(foldSqlName(text)) ||
        (isSign(tokens[index + 1], '(') && isServiceFunction(text, names.formats))),
  )
  const read = { isOfService, tables }
  readByViews.set(view, read)
  return read
}

/** The schemas of the service, as the gate leaves them in a query. */
const SCHEMAS: ReadonlySet<string> = new Set(Object.values(SCHEMA_IN_DUCKDB))

/** Whether the sources of a view are there for the caller. What else is wrong with it does not hide it. */
async function isReadable(
  view: CatalogTable,
  { views }: QueryServiceOptions,
  context: QueryContext,
): Promise<boolean> {
  try {
    const tree = views.of(view, context.lookups)
    if ('reason' in tree) await rowsOfView(view, randomUUID(), context)
    else await findSources(tree.done, context)
    return true
  } catch (error) {
    if (!isServiceError(error)) throw error
    return !REFUSALS.has(error.code)
  }
}

/** Finds the files that a statement reads, and opens none of them. */
async function findSources({ from }: Select, context: QueryContext): Promise<void> {
  if (from.kind === 'select') return findSources(from.select, context)
  for (const source of from.sources) {
    const table = await resolveSource(source, context)
    if (source.kind === 'files') await table.files(NO_COLUMN_FILTER)
  }
}
