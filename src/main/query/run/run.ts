import { randomUUID } from 'node:crypto'
import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { Caller } from '../../auth/caller.ts'
import { attachedFor } from '../../catalog/attached/with-attached.ts'
import { createLookups, type LookedUp } from '../../catalog/lookups.ts'
import { createFingerprint, type Fingerprint } from '../../datasets/fingerprint/fingerprint.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import {
  addAnswer,
  addInspection,
  createFigures,
  type Figures,
  figuresOfScan,
} from '../../history/figures.ts'
import { ANY_ATTACHED } from '../../sql/gate/check-names.ts'
import { readStatement } from '../../sql/gate/gate.ts'
import { type PreparedStatement, prepareStatement } from '../duckdb/prepare-statement.ts'
import type { NamedSources } from '../explain/named-sources.ts'
import { addNotice, type OnNotice, printNotices } from '../source/notices.ts'
import type { OnAnswer } from '../source/on-answer.ts'
import type { QueryContext } from '../source/query-context.ts'
import { closeRemotes } from '../source/remote/remote-rows.ts'
import { namedSources } from './named-sources.ts'
import type { PreparedQuery, QueryServiceOptions } from './options.ts'
import { prepareQuery } from './prepare/prepare.ts'
import type { ParsedRequest } from './prepare/prepare-json.ts'
import { logQuery, type QueryOutcome } from './query-log.ts'
import { recordingOf, resolutionOf } from './resolution.ts'
import type { Holding } from './rows/budget.ts'
import type { ReceivedQuery } from './service.ts'
import { createSubqueryRunner } from './subquery-runner.ts'
import { locatedError, toServiceError } from './to-service-error.ts'

/** A query from its admission until it ends and is logged. */
export interface Run {
  readonly id: string
  readonly ticket: Ticket
  readonly figures: Figures
  readonly onAnswer: OnAnswer
  readonly holding: Holding
  readonly fingerprint: Fingerprint
  readonly lookedUp: LookedUp
  readonly kind: ParsedRequest['kind']
  /** What in the files looks as if other options were meant. Complete when the query is prepared. */
  readonly notices: ReadonlySet<string>
  readonly onNotice: OnNotice
  /** What the names mean that it has looked up by now, for EXPLAIN. */
  namedSources(): NamedSources
  prepare(): Promise<PreparedQuery>
  /** Prepares the query again, which the core has failed to run, for DuckDB. Null: the core runs it all the same. */
  prepareOnDuckDb(whyNotOnCore: string): Promise<PreparedStatement | null>
  /** What was prepared last. */
  prepared(): PreparedQuery
  /** Prepares a statement that replaces the prepared query, whose lease is released. */
  prepareInstead(sql: string): Promise<PreparedQuery>
  /** Prepares a statement again that has lost its engine. */
  renew(statement: PreparedStatement): Promise<PreparedStatement>
  /** Ends the query. Later calls have no effect. */
  end(outcome: QueryOutcome, error?: unknown): void
  /** Ends the query with an error, and returns that as it is answered. */
  fail(error: unknown): ServiceError
}

/** Admits a query. Aborting the signal ends it. Throws `invalid_sql`, `not_supported` and `overloaded`. */
export function beginRun(
  options: QueryServiceOptions,
  query: ReceivedQuery,
  caller: Caller,
  signal: AbortSignal,
): Run {
  const { request } = query
  const parsed =
    request.kind === 'sql'
      ? readStatement(request.sql, {
          formats: options.formats,
          catalog: options.catalog.name,
          isAttached: attachedFor(caller, options.catalog),
        })
      : request
  const id = randomUUID()
  const ticket = options.scheduler.admit(query.caching)
  const figures = createFigures()
  const holding = options.heldBudget.open()
  const stop = (): void => {
    ticket.stop()
    end('cancelled')
  }
  let ended = false
  let release = (): void => {}
  let last: PreparedQuery | null = null
  function end(outcome: QueryOutcome, error?: unknown): void {
    if (ended) return
    ended = true
    signal.removeEventListener('abort', stop)
    ticket.release()
    holding.close()
    release()
    logQuery(options.log, { id, caller, figures, notices, outcome, error })
  }
  /** Has the lease of a statement released when the query ends. */
  function hold<T extends PreparedQuery>(prepared: T): T {
    last = prepared
    if ('lease' in prepared) {
      release = prepared.lease.release
      if (ended) release()
    }
    return prepared
  }
  const notices = new Set<string>()
  const fingerprint = createFingerprint()
  const onObjects = recordingOf(fingerprint, ticket)
  const keepRead = ({ objects, chunkRecords }: Parameters<OnAnswer>[0]): void => {
    if (objects !== undefined) onObjects(objects)
    if (chunkRecords !== undefined) options.onChunkRecords(chunkRecords)
  }
  const onAnswer: OnAnswer = (answer, queueMs) => {
    addAnswer(figures, answer, queueMs)
    keepRead(answer)
  }
  const onInspected: OnAnswer = (answer, queueMs) => {
    addInspection(figures, answer, queueMs)
    keepRead(answer)
  }
  const lookups = createLookups(options.catalog, caller)
  const isExplained = parsed.kind === 'explain' || parsed.kind === 'explain-analyze'
  const areSubqueriesRun = parsed.kind !== 'explain' && options.areSubqueriesRun !== false
  const context: QueryContext = {
    ...options,
    ...resolutionOf(options, lookups, signal, fingerprint, query.hops),
    areRemotesAsked: areSubqueriesRun,
    isProfiled: options.isProfiled === true || parsed.kind === 'explain-analyze',
    ticket,
    signal,
    onAnswer: onInspected,
    onObjects,
    onNotice: (notice, about) => addNotice(notices, notice, about),
    // The plan that EXPLAIN prints is that of all rows.
    ...(query.most !== undefined && !isExplained && { mostRows: query.most.rows }),
  }
  async function renew(statement: PreparedStatement): Promise<PreparedStatement> {
    release()
    return hold(await statement.renew())
  }
  /** Prepares the query, counts what is pruned of it, and holds it. */
  async function prepareIn(asked: QueryContext, key: string): Promise<PreparedQuery> {
    const prepared = await prepareQuery(parsed, key, options.views, asked, runner).finally(() =>
      closeRemotes(ticket),
    )
    figures.unitsPruned += prepared.pruned
    figures.chunksSkipped += prepared.chunksSkipped
    if ('lease' in prepared)
      for (const [scan, { pruned, chunksSkipped }] of prepared.prunedOfScans.entries())
        Object.assign(figuresOfScan(figures, scan), { unitsPruned: pruned, chunksSkipped })
    else figures.rowsCounted = prepared.counted
    return hold(prepared)
  }
  const runner = areSubqueriesRun
    ? createSubqueryRunner(options, { id, ticket, figures, onAnswer, renew }, fingerprint)
    : null
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return {
    id,
    ticket,
    figures,
    onAnswer,
    holding,
    fingerprint,
    lookedUp: lookups,
    end,
    fail(error) {
      const located =
        request.kind === 'sql' && parsed.kind !== 'json'
          ? locatedError(error, request.sql, parsed)
          : toServiceError(error)
      end('failed', located)
      return located
    },
    kind: parsed.kind,
    notices,
    onNotice: context.onNotice,
    namedSources: () =>
      namedSources(lookups, {
        formats: options.formats,
        catalog: options.catalog.name,
        isAttached: ANY_ATTACHED,
      }),
    prepare: () => withNotices(notices, () => prepareIn(context, id)),
    async prepareOnDuckDb(whyNotOnCore) {
      const prepared = await prepareIn({ ...context, whyNotOnCore }, `${id}/duckdb`)
      return 'lease' in prepared ? prepared : null
    },
    prepared() {
      if (last === null) throw new TypeError('nothing is prepared yet')
      return last
    },
    async prepareInstead(sql) {
      release()
      const statement = { text: sql, tables: [] }
      const instead = { ...context, isProfiled: false }
      return hold(await prepareStatement(statement, [], `${id}/instead`, instead))
    },
    renew,
  }
}

/** Adds the notices to an error that the request has caused: a column may be unknown because its file was read as one column. */
async function withNotices<T>(notices: ReadonlySet<string>, prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare()
  } catch (error) {
    if (notices.size === 0 || !isServiceError(error) || error.status !== 400) throw error
    // It would tell of what the caller may not read.
    if (error.code === 'permission_denied') throw error
    throw new ServiceError(error.code, `${error.message} (${printNotices(notices)})`, {
      cause: error,
      at: error.at,
      about: error.about,
    })
  }
}
