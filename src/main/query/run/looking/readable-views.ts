import { randomUUID } from 'node:crypto'
import { isServiceError } from '../../../../plan/errors.ts'
import { DATASETS_FUNCTION } from '../../../../plan/statement/functions.ts'
import {
  type FilesRequest,
  foldSqlName,
  requestKey,
  type SourceRequest,
} from '../../../../plan/statement/statement.ts'
import { SCHEMA_IN_DUCKDB } from '../../../../plan/statement/system-relations.ts'
import type { Caller } from '../../../auth/caller.ts'
import type { CatalogTable } from '../../../catalog/catalog.ts'
import { createLookups, type Lookups } from '../../../catalog/lookups.ts'
import { inSlices } from '../../../datasets/find/slices.ts'
import { ANY_ATTACHED, type KnownNames, type TableName } from '../../../sql/gate/check-names.ts'
import { isServiceFunction } from '../../../sql/gate/forbidden.ts'
import { readStatement } from '../../../sql/gate/gate.ts'
import { isSign } from '../../../sql/text/tokens.ts'
import { orDeclined } from '../../bind/declined.ts'
import type { Select } from '../../core/parse/ast.ts'
import { createDecliningReader } from '../../core/parse/declining-reader.ts'
import { parseCall } from '../../core/parse/parse-from.ts'
import { rowsOfView } from '../../duckdb/from-json/request-rows.ts'
import { NO_COLUMN_FILTER } from '../../source/column-filter.ts'
import { REFUSALS } from '../../source/named/refusals.ts'
import type { QueryContext } from '../../source/query-context.ts'
import { resolveSource } from '../../source/resolve-source.ts'
import type { QueryServiceOptions } from '../options.ts'
import { resolutionOf } from '../resolution.ts'
import { lookUp } from './look-ups.ts'

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
  const names = { formats: options.formats, catalog: options.catalog.name, isAttached: ANY_ATTACHED }
  const lookups = createLookups(options.catalog, caller)
  const views = tables.filter(({ query }) => query !== null)
  const inDoubt: [view: CatalogTable, doubts: Doubts][] = []
  for await (const some of inSlices(views, signal, READ_AT_ONCE))
    for (const view of some) {
      const doubts = doubtsOf(view, lookups, names)
      if (doubts.isUnclear || doubts.files.length > 0) inDoubt.push([view, doubts])
    }
  if (inDoubt.length === 0) return tables
  const refused = new Set<CatalogTable>()
  await lookUp(options, signal, async (ticket) => {
    const context: QueryContext = {
      ...options,
      ...resolutionOf(options, lookups, signal),
      ticket,
      signal,
      onAnswer() {},
      onObjects() {},
      onNotice() {},
    }
    const areThere = filesTest(context)
    for (const [view, { files, isUnclear }] of inDoubt) {
      signal.throwIfAborted()
      // What its text names may be more than it reads.
      const isClear = !isUnclear && (await areThere(files))
      if (!isClear && !(await isReadable(view, options, context))) refused.add(view)
    }
  })
  return tables.filter((table) => !refused.has(table))
}

/** What rights on names do not decide. */
interface Doubts {
  /** The files that its text names, and the texts of the views below it. */
  readonly files: readonly FilesRequest[]
  /** Whether it may read something else: a table of the service, a name that nothing has, or files that its text does not tell. */
  readonly isUnclear: boolean
}

function doubtsOf(view: CatalogTable, lookups: Lookups, names: KnownNames): Doubts {
  const files: FilesRequest[] = []
  let isUnclear = false
  const reached = new Set([view])
  for (const each of reached) {
    const read = readBy(each, names)
    files.push(...read.files)
    isUnclear ||= read.isUnclear
    for (const name of read.tables) {
      const below = lookups.findBelow(name)
      if (below !== null) reached.add(below)
      else isUnclear ||= name.isCommon !== true
    }
  }
  return { files, isUnclear }
}

/** What a query reads, as far as this follows from its text. */
interface ReadByQuery extends Doubts {
  readonly tables: readonly TableName[]
}

const NOTHING: ReadByQuery = Object.freeze({ files: [], isUnclear: false, tables: [] })

/** What views read, which never changes. */
const readByViews = new WeakMap<CatalogTable, ReadByQuery>()

function readBy(view: CatalogTable, names: KnownNames): ReadByQuery {
  if (view.query === null) return NOTHING
  const earlier = readByViews.get(view)
  if (earlier !== undefined) return earlier
  const { tokens, tables } = readStatement(view.query, names)
  const calls = tokens.flatMap(({ kind, text }, index) => {
    const isCall = kind !== 'string' && isSign(tokens[index + 1], '(')
    return isCall && isServiceFunction(text, names.formats) && foldSqlName(text) !== DATASETS_FUNCTION
      ? [orDeclined(() => parseCall(createDecliningReader(tokens.slice(index)), names.formats))]
      : []
  })
  const isOfService = tokens.some(({ kind, text }) => kind !== 'string' && SCHEMAS.has(foldSqlName(text)))
  const read = {
    files: calls.flatMap((call) => ('done' in call ? [call.done] : [])),
    isUnclear: isOfService || calls.some((call) => 'reason' in call),
    tables,
  }
  readByViews.set(view, read)
  return read
}

/** Tells whether the caller may read all of some files, each of which is searched once. */
function filesTest(context: QueryContext): (files: readonly FilesRequest[]) => Promise<boolean> {
  const answersByRequest = new Map<string, boolean>()
  return async (files) => {
    for (const request of files) {
      const key = requestKey(request)
      const isThere = answersByRequest.get(key) ?? (await isFound(request, context))
      answersByRequest.set(key, isThere)
      if (!isThere) return false
    }
    return true
  }
}

async function isFound(request: FilesRequest, context: QueryContext): Promise<boolean> {
  try {
    await findSource(request, context)
    return true
  } catch (error) {
    if (!isServiceError(error)) throw error
    return false
  }
}

/** Finds the files of a source, and opens none of them. */
async function findSource(source: SourceRequest, context: QueryContext): Promise<void> {
  const table = await resolveSource(source, context)
  if (source.kind === 'files') await table.files(NO_COLUMN_FILTER)
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
    // While a file system does not answer, it is not known whether its files may be read.
    return !REFUSALS.has(error.code) && error.code !== 'path_unavailable'
  }
}

async function findSources({ from }: Select, context: QueryContext): Promise<void> {
  if (from.kind === 'select') return findSources(from.select, context)
  for (const source of from.sources) await findSource(source, context)
}
