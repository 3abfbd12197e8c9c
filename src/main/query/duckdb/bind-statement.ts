import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { errorInView, type NamedDefinition } from '../../../plan/statement/definition.ts'
import { requestKey, type ScanRequest, type SourceRequest } from '../../../plan/statement/statement.ts'
import type { ValuesRequest } from '../../../plan/statement/values.ts'
import type { SqlNeedsAnswer, SqlPreparedAnswer, SqlPrepareTask } from '../../../plan/task/task.ts'
import type { Rights } from '../../auth/rights/rights.ts'
import type { Lease } from '../../dispatch/engines/lease.ts'
import { tokenize } from '../../sql/text/tokens.ts'
import type { FilesTable } from '../source/files-table.ts'
import { withDimensions } from '../source/left-out.ts'
import { errorBelow } from '../source/named/refusals.ts'
import { goneBelow } from '../source/named/unknown-table.ts'
import type { QueryContext } from '../source/query-context.ts'
import { refusedNamed } from '../source/schema/refused-columns.ts'
import { createStatementValues, type StatementValues } from './make-values.ts'
import { divisionNotices, nullsFirstNotices } from './number-notices.ts'
import { openSources } from './opening-sources.ts'
import { createOtherGrids } from './other-grids.ts'
import { partitionNotices } from './partition-notices.ts'
import { type Bind, checkReading, refusedReading } from './refused-reading.ts'
import type { ResolvedSource } from './sources.ts'
import { type QueryText, type StatementNames, statementNames } from './statement-names.ts'

/** A statement as an engine has bound it last, so that the engine can run it. */
export interface BoundStatement {
  /** By which the engine has bound it. */
  readonly task: SqlPrepareTask
  readonly answer: SqlPreparedAnswer
  readonly sources: readonly ResolvedSource[]
  /** The error that stays if columns cannot be read by another grid after all. Null: no other grid was needed. */
  readonly refusal: unknown
}

/** The most characters of a statement and its sources that are kept. */
const MOST_CHARACTERS = 32_768

/** How often an engine may answer that it needs further sources. Macros and lists can take a few rounds. */
const MOST_ROUNDS = 256

/**
 * Has an engine bind a statement, and resolves the sources that it finds in it, in as many rounds as that takes. `opened` and what it throws: as
 * of `prepareStatement`.
 */
export async function bindStatement(
  lease: Lease,
  query: QueryText,
  opened: readonly ResolvedSource[],
  key: string,
  context: QueryContext,
): Promise<BoundStatement> {
  const { ticket, named } = context
  const sources = openSources(opened, context)
  const sourceNames = new Set(
    opened.flatMap(({ source: { request } }) => (request ? [requestKey(request)] : [])),
  )
  const open = async (request: SourceRequest): Promise<void> => {
    const name = requestKey(request)
    if (sourceNames.has(name)) return
    await sources.open(request)
    sourceNames.add(name)
  }
  const refusalOf = async (error: unknown, bind: Bind | null): Promise<unknown> => {
    const tables = sources.list.map(({ table }) => table)
    const named = refusedNamed(error, tables, true)
    if (named !== null) return named
    const isBound = bind !== null && isAboutStatement(error)
    const refused = isBound ? await refusedReading(sources.list, bind, error) : null
    return refused ?? withDimensions(error, tables, true, context)
  }
  const grids = createOtherGrids((error) => refusalOf(error, null), context)
  const bindOver =
    (task: SqlPrepareTask): Bind =>
    (others) =>
      boundScans(lease, { ...task, sources: others })
  const values = createStatementValues(context)
  const sql = query.text
  const names = statementNames(query, context)
  for (const table of names.stored) await open(table)
  // Opening the sources of the last time saves a round. An error is ignored: the statement may not name that source this time.
  for (const request of named.get(sql) ?? []) await open(request).catch(() => {})
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const task: SqlPrepareTask = {
      kind: 'sql_prepare',
      key,
      sql,
      definitions: names.definitions,
      absent: names.absent,
      sources: sources.list.map(({ source }) => source),
      values: values.namedValues,
      ...(context.isProfiled && { isProfiled: true }),
      cancel: ticket.cancel,
    }
    const run = lease.run<SqlNeedsAnswer | SqlPreparedAnswer>(task)
    const outcome = await run.catch(async (error: unknown) => {
      // The columns that the statement needs may be those of other files.
      if (isAboutStatement(error) && (await sources.openAll())) return
      const other = await grids.replacing(error, sources.list)
      if (other === null) throw grids.refusal ?? (await refusalOf(error, bindOver(task)))
      sources.replace(other.index, other.source)
    })
    if (outcome === undefined) continue
    const { answer } = outcome
    if (answer.kind === 'sql_prepared') {
      if (await sources.openPassing(answer.scans)) continue
      const isChecked = await checkReading(sources.list, bindOver(task)).catch((error: unknown) => {
        throw grids.refusal ?? error
      })
      // The engine runs what it has bound last.
      if (isChecked) await lease.run<SqlNeedsAnswer | SqlPreparedAnswer>(task)
      for (const notice of grids.notices) context.onNotice(notice)
      remember(sql, answer.scans, sources.list, named)
      const tables = sources.list.map(({ table }) => table)
      tellNumbers(query.text, answer, names.definitions, tables, context)
      for (const notice of partitionNotices(answer.plan, tables)) context.onNotice(notice)
      return { task, answer, sources: sources.list, refusal: grids.refusal }
    }
    const missing = answer.sources.filter((request) => !sourceNames.has(requestKey(request)))
    const isMade = await makeMissing(answer.values, values, names, context.lookups.caller.rights)
    if (missing.length === 0 && !isMade) break
    for (const request of missing) await openMissing(request, names, open, context.lookups.caller.rights)
  }
  throw new ServiceError('invalid_sql', 'The statement names too many sources.')
}

/** Tells what makes numbers other than they seem. */
function tellNumbers(
  text: string,
  { dividesIntegers }: SqlPreparedAnswer,
  definitions: readonly NamedDefinition[],
  tables: readonly FilesTable[],
  { onNotice }: QueryContext,
): void {
  const texts = dividesIntegers ? [text, ...definitions.flatMap(({ query }) => query ?? [])] : []
  const notices = [...divisionNotices(texts), ...nullsFirstNotices(text, () => tokenize(text), tables)]
  for (const notice of notices) onNotice(notice, 'numbers')
}

/** Binds a statement over other sources than those that it reads. Null: it names more of them then. */
async function boundScans(lease: Lease, task: SqlPrepareTask): Promise<readonly ScanRequest[] | null> {
  const { answer } = await lease.run<SqlNeedsAnswer | SqlPreparedAnswer>(task)
  return answer.kind === 'sql_prepared' ? answer.scans : null
}

/** Opens a source that DuckDB misses. A view becomes one of the names, to be made in the next round. */
async function openMissing(
  request: SourceRequest,
  names: StatementNames,
  open: (request: SourceRequest) => Promise<void>,
  rights: Rights,
): Promise<void> {
  if (request.kind === 'table' && names.add(request)?.type === 'VIEW') return
  try {
    await open(request)
  } catch (error) {
    if (!rights.isEverything) throw errorBelow(names.tableOver(request), rights, error)
    const view = isServiceError(error) ? names.viewOver(request) : null
    if (view === null || !isServiceError(error)) throw error
    const isGone = request.kind === 'table' && error.code === 'unknown_table'
    throw isGone ? goneBelow(view, request) : errorInView(view.name, error)
  }
}

/** Makes the rows of functions that DuckDB misses. False: all of them had been made. */
async function makeMissing(
  requests: readonly ValuesRequest[],
  values: StatementValues,
  names: StatementNames,
  rights: Rights,
): Promise<boolean> {
  let isMade = false
  for (const request of requests)
    try {
      if (await values.make([request])) isMade = true
    } catch (error) {
      throw errorBelow('files' in request ? names.tableOver(request.files) : null, rights, error)
    }
  return isMade
}

/** Whether DuckDB has refused a statement. */
function isAboutStatement(error: unknown): boolean {
  return isServiceError(error) && (error.code === 'invalid_sql' || error.code === 'not_supported')
}

/**
 * Keeps the sources that a statement names, to be opened before it is bound the next time. They may be others then, if they depend
 * on the time (`now()`).
 */
function remember(
  sql: string,
  scans: readonly ScanRequest[],
  sources: readonly ResolvedSource[],
  named: QueryContext['named'],
): void {
  const used = [...new Set(scans.map(({ source }) => sources[source]?.source.request ?? null))]
  const requests = used.filter((request) => request !== null)
  const characters = requests.reduce((sum, request) => sum + requestKey(request).length, sql.length)
  if (requests.length > 0 && characters <= MOST_CHARACTERS) named.put(sql, requests)
}
