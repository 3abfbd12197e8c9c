import { isDeepStrictEqual } from 'node:util'
import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { listNames } from '../../../plan/nearest-name.ts'
import type { StatementPlan } from '../../../plan/plan.ts'
import { columnsNamed, type SourceScan } from '../../../plan/scan.ts'
import { errorInView, type NamedDefinition } from '../../../plan/statement/definition.ts'
import {
  type OpenScan,
  requestKey,
  type ScanRequest,
  type SourceRequest,
} from '../../../plan/statement/statement.ts'
import type { ValuesRequest } from '../../../plan/statement/values.ts'
import type { SqlNeedsAnswer, SqlPreparedAnswer, SqlPrepareTask } from '../../../plan/task/task.ts'
import type { Rights } from '../../auth/rights/rights.ts'
import type { Lease } from '../../dispatch/engines/lease.ts'
import { tokenize } from '../../sql/text/tokens.ts'
import type { Declinable, Reason } from '../bind/declined.ts'
import { tellAggregatedRows } from '../plan/grid/aggregated-rows.ts'
import type { PreparedScan } from '../plan/prepare-scan.ts'
import type { FilesTable } from '../source/files-table.ts'
import { withDimensions } from '../source/left-out.ts'
import { errorBelow } from '../source/named/refusals.ts'
import { goneBelow } from '../source/named/unknown-table.ts'
import type { QueryContext } from '../source/query-context.ts'
import { refusedNamed } from '../source/schema/refused-columns.ts'
import { aggregatedScans } from './aggregated-scans.ts'
import { bindScan } from './bind-scan.ts'
import { comparedPairs } from './compared-pairs.ts'
import { isLost } from './lost.ts'
import { createStatementValues, type StatementValues } from './make-values.ts'
import { divisionNotices, nullsFirstNotices } from './number-notices.ts'
import { openSources } from './opening-sources.ts'
import { describedOutput } from './origins/described-output.ts'
import { createOtherGrids } from './other-grids.ts'
import { partitionNotices } from './partition-notices.ts'
import { type Bind, checkReading, refusedReading } from './refused-reading.ts'
import type { RelayStatement } from './relay-statement.ts'
import type { ResolvedSource } from './sources.ts'
import { type QueryText, type StatementNames, statementNames } from './statement-names.ts'

/** A statement that an engine has bound, and the units that its scans have to read. */
export interface PreparedStatement {
  readonly plan: StatementPlan
  readonly key: string
  readonly lease: Lease
  readonly scans: readonly OpenScan[]
  /** The number of units that are not read. */
  readonly pruned: number
  /** The number of chunks of grids in which no row can pass. */
  readonly chunksSkipped: number
  /** Both of them of each scan. */
  readonly prunedOfScans: readonly Pick<PreparedStatement, 'pruned' | 'chunksSkipped'>[]
  /** How many pairs of rows its joins compare one by one, as DuckDB estimates. */
  readonly pairs: number
  /** Whether it returns the same rows each time over the same files, and reads nothing else. */
  readonly isConstant: boolean
  /**
   * Prepares the statement again, if it has lost its engine and its lease has been released. Throws `file_changed` if its columns are
   * no longer the same, and what `prepareStatement` throws.
   */
  renew(): Promise<PreparedStatement>
}

/** The statement with the reason why the core has declined it. */
export function withReason(prepared: PreparedStatement, reason: string): PreparedStatement {
  return { ...prepared, plan: Object.freeze({ ...prepared.plan, reason }) }
}

/** The most characters of a statement and its sources that are kept. */
const MOST_CHARACTERS = 32_768

/** How often a statement is prepared that loses its engine to other statements. */
const MOST_ATTEMPTS = 16

/** How often an engine may answer that it needs further sources. Macros and lists can take a few rounds. */
const MOST_ROUNDS = 256

/**
 * Has an engine bind a statement, resolves the sources that the engine finds in it, and cuts its scans into units. `opened` are the
 * sources of `_rows(0)`, `_rows(1)` and so on, or sources of the statement that have been opened before. The lease is released if
 * this fails. Throws `invalid_sql` for what DuckDB does not accept, and what resolving a source throws.
 */
export async function prepareStatement(
  query: QueryText,
  opened: readonly ResolvedSource[],
  key: string,
  context: QueryContext,
): Promise<PreparedStatement> {
  const prepared = await prepareOrRelay(query, opened, key, context, async () => null)
  if ('lease' in prepared) return prepared
  throw new TypeError('a statement was relayed that nobody relays')
}

/** As `prepareStatement`, unless `relay` has the whole answer made elsewhere: no lease is held then. */
export async function prepareOrRelay(
  query: QueryText,
  opened: readonly ResolvedSource[],
  key: string,
  context: QueryContext,
  relay: RelayStatement,
): Promise<PreparedStatement | PreparedScan> {
  for (let attempt = 1; ; attempt++) {
    const lease = await context.engines.lease(
      { key, sql: query.text, ticket: context.ticket },
      context.signal,
    )
    try {
      const prepared = await prepareIn(lease, query, opened, key, context, relay)
      if (!('lease' in prepared)) {
        lease.release()
        return prepared
      }
      return {
        ...prepared,
        async renew() {
          // Sources that the statement names are resolved again, since their files may have changed.
          const presetSources = opened.filter((source) => source.presetScan !== null)
          const renewed = await prepareStatement(query, presetSources, key, context)
          if (isDeepStrictEqual(renewed.plan.output, prepared.plan.output)) return renewed
          renewed.lease.release()
          throw new ServiceError('file_changed', 'A file was changed while it was being queried; ask again.')
        },
      }
    } catch (error) {
      lease.release()
      // No rows of the statement have been sent, so it can be prepared again.
      if (isLost(error) && attempt < MOST_ATTEMPTS) continue
      throw error
    }
  }
}

async function prepareIn(
  lease: Lease,
  query: QueryText,
  opened: readonly ResolvedSource[],
  key: string,
  context: QueryContext,
  relay: RelayStatement,
): Promise<Omit<PreparedStatement, 'renew'> | PreparedScan> {
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
      const relayed = await relayBound(relay, lease, task, { answer, sources: sources.list }, context)
      if (relayed !== null && 'done' in relayed) return relayed.done
      const bound = await Promise.all(
        answer.scans.map((request) => bindScan(request, sources.list, context)),
      ).catch((error: unknown) => {
        throw isServiceError(error) && error.code === 'unknown_column' ? (grids.refusal ?? error) : error
      })
      const aggregated = aggregatedScans(answer.plan)
      for (const [number, { scan }] of bound.entries()) {
        const names = columnsNamed(scan.scan)
        if (!aggregated.has(number) || scan.grids === undefined || names.length === 0) continue
        const first = sources.list[answer.scans[number]?.source ?? 0]?.table.summaries[0]
        await tellAggregatedRows([`what is computed of ${listNames(names)}`], scan, first, context)
      }
      const plan: StatementPlan = Object.freeze({
        engine: 'duckdb',
        sql,
        reason: null,
        scans: Object.freeze(
          bound.map(({ scan }) => (relayed === null ? scan : withWhyNot(scan, relayed.reason))),
        ),
        operators: answer.plan,
        output: await describedOutput(answer.output, {
          text: sql,
          definitions: names.definitions,
          sources: sources.list,
          formats: context.formats,
          read: bound.map(({ summaries }, number) => ({
            source: answer.scans[number]?.source ?? -1,
            summaries,
          })),
        }),
      })
      const pruned = bound.reduce((sum, each) => sum + each.pruned, 0)
      const chunksSkipped = bound.reduce((sum, each) => sum + each.chunksSkipped, 0)
      const isConstant = answer.isConstant && bound.every(({ open }) => open.values === undefined)
      const pairs = comparedPairs(answer.plan)
      return {
        plan,
        key,
        lease,
        scans: bound.map(({ open }) => open),
        pruned,
        chunksSkipped,
        prunedOfScans: bound.map(({ pruned, chunksSkipped }) => ({ pruned, chunksSkipped })),
        pairs,
        isConstant,
      }
    }
    const missing = answer.sources.filter((request) => !sourceNames.has(requestKey(request)))
    const isMade = await makeMissing(answer.values, values, names, context.lookups.caller.rights)
    if (missing.length === 0 && !isMade) break
    for (const request of missing) await openMissing(request, names, open, context.lookups.caller.rights)
  }
  throw new ServiceError('invalid_sql', 'The statement names too many sources.')
}

/** Has a bound statement relayed. The engine has the statement as it was bound if that is declined. */
async function relayBound(
  relay: RelayStatement,
  lease: Lease,
  task: SqlPrepareTask,
  { answer, sources }: { readonly answer: SqlPreparedAnswer; readonly sources: readonly ResolvedSource[] },
  context: QueryContext,
): Promise<Declinable<PreparedScan> | null> {
  const { sql: text, definitions, values } = task
  let isOther = false
  const relayed = await relay(
    {
      text,
      definitions,
      sources,
      hasValues: values.length > 0,
      answer,
      output: answer.output,
      async bind(other) {
        isOther = true
        const { answer } = await lease.run<SqlNeedsAnswer | SqlPreparedAnswer>({
          ...task,
          ...other,
          values: [],
        })
        return answer.kind === 'sql_prepared' ? answer : null
      },
    },
    context,
  )
  const isDeclined = relayed === null || 'reason' in relayed
  if (isOther && isDeclined) await lease.run<SqlNeedsAnswer | SqlPreparedAnswer>(task)
  return relayed
}

/** The scan of a table in another service, with why that does not make the whole answer. */
function withWhyNot(scan: SourceScan, { what }: Reason): SourceScan {
  return scan.remote === undefined ? scan : { ...scan, remote: { ...scan.remote, whyNotWhole: what } }
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
