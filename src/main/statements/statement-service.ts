import { ServiceError } from '../../plan/errors.ts'
import { unlessAborted } from '../../plan/unless-aborted.ts'
import type { Caller } from '../auth/caller.ts'
import { attachedFor } from '../catalog/attached/with-attached.ts'
import { createLookups } from '../catalog/lookups.ts'
import { type RunReport, reportRecord } from '../crawlers/run/report.ts'
import type { Output } from '../query/request/output/output.ts'
import type { ReceivedQuery, RunningQuery } from '../query/run/service.ts'
import type { Later, RunCrawler, StatementNode } from '../sql/grammar/node.ts'
import { isOfAccounts, parseStatement } from '../sql/grammar/parse-statement.ts'
import { printStatement } from '../sql/grammar/print-statement.ts'
import type { CheckQuery } from '../sql/grammar/query-text.ts'
import { beginStatement } from './begun-statement.ts'
import { createQueryCheck } from './check-query.ts'
import type { StatementContext, StatementOptions } from './context.ts'
import { EMPTY_BYTES, emptyAnswer } from './empty-answer.ts'
import { inNameOrder, withUnreadableNames } from './in-name-order.ts'
import { withOldLogins } from './old-logins.ts'
import {
  type Command,
  type CrawlerCommand,
  isChanging,
  isCommand,
  isCrawlerCommand,
  isTableCommand,
  type Looking,
  needsSuperUser,
  queryOf,
  runCommand,
  type TableCommand,
} from './run-node.ts'

/** Runs statements that are no queries. Its methods reject with `ServiceError` alone. */
export interface StatementService {
  /**
   * Runs the statement of a request, which is one that `isStatement` recognises. Resolves when its answer can be sent. The answer
   * must not be kept or given to another request.
   */
  run(query: ReceivedQuery, caller: Caller, signal: AbortSignal): Promise<RunningQuery>
  /** The same for a caller who wants to change nothing: rejects with `permission_denied` for commands, whoever the caller is. */
  look(query: ReceivedQuery, caller: Caller, signal: AbortSignal): Promise<RunningQuery>
  /**
   * Runs a command whose node a route has made. The answer has no columns and no rows. Rejects with `invalid_sql` if it has what no
   * statement can say, such as an empty name. `hidden`: the values of secrets that its node has `MASK` in place of. Absent: it has none.
   */
  runCommand(
    node: TableCommand | CrawlerCommand,
    caller: Caller,
    signal: AbortSignal,
    hidden?: readonly string[],
  ): Promise<RunningQuery>
  /** Runs a crawler for a route, as RUN CRAWLER does. If the client leaves, rejects, and the run goes on. */
  runCrawler(node: RunCrawler, caller: Caller, signal: AbortSignal): Promise<RunReport>
}

export function createStatementService(options: StatementOptions): StatementService {
  const runInOrder = inNameOrder(withOldLogins(withUnreadableNames(runCommand)), options.order)
  const checkFor = (caller: Caller): CheckQuery =>
    createQueryCheck({
      formats: options.formats,
      catalog: options.catalog.name,
      isAttached: attachedFor(caller, options.catalog),
    })

  async function answerCommand(node: Command, context: StatementContext): Promise<RunningQuery> {
    const { caller, signal } = context
    requireRights(node, caller)
    const begun = beginStatement(options, node, caller)
    try {
      signal.throwIfAborted()
      await runInOrder(node, context)
    } catch (error) {
      throw begun.fail(error)
    }
    begun.done(EMPTY_BYTES)
    return emptyAnswer(begun.id, createLookups(options.catalog, caller), context.notices)
  }

  /** Answers with the rows of the query that is written for a statement. Log and metrics have the statement, not that query. */
  async function answerLooking(
    node: Looking,
    { request: { output }, json, ...wishes }: ReceivedQuery,
    { caller, signal, ...rest }: StatementContext,
  ): Promise<RunningQuery> {
    // Tables may be replaced between the writing of the query and its run, which have to read the same ones.
    const snapshot = options.catalog.snapshot()
    const catalog = { ...options.catalog, snapshot: () => snapshot }
    const begun = beginStatement(options, node, caller)
    let sql: string
    try {
      sql = await queryOf(node, { ...rest, caller, signal, catalog })
    } catch (error) {
      throw begun.fail(error)
    }
    const written = { ...json, sql: begun.printed }
    const query: ReceivedQuery = { request: { kind: 'sql', sql, output }, json: written, ...wishes }
    return options.queries.run(query, caller, signal, snapshot)
  }

  async function run(
    query: ReceivedQuery,
    caller: Caller,
    signal: AbortSignal,
    isLookingOnly: boolean,
  ): Promise<RunningQuery> {
    if (query.request.kind !== 'sql') throw new ServiceError('internal', 'A JSON query is no statement.')
    const queries: string[] = []
    const hidden: string[] = []
    const { sql } = query.request
    // Others learn nothing of how such a statement is written, also where it is not written so.
    if (isOfAccounts(sql) && isLookingOnly) throw onlyLooking()
    if (!caller.isSuperUser && isOfAccounts(sql)) throw onlySuperUser()
    const node = parseStatement(
      sql,
      (text) => queries.push(text),
      (value) => hidden.push(value),
    )
    if (isLookingOnly && isChanging(node)) throw onlyLooking()
    requireRights(node, caller)
    if (node.kind === 'later') throw notYet(node)
    queries.forEach(checkFor(caller))
    const [queryInPlace = null] = queries
    const context = { ...options, caller, signal, queryInPlace, hidden, notices: new Set<string>() }
    if (!isCommand(node)) return answerLooking(node, query, context)
    requireNoOutput(query.request.output)
    return answerCommand(node, context)
  }

  return {
    async runCommand(statementNode, caller, signal, hidden = []) {
      const node = parseStatement(printStatement(statementNode), checkFor(caller))
      if (!isTableCommand(node) && !isCrawlerCommand(node))
        throw new ServiceError('internal', 'A command is printed as another statement.')
      return answerCommand(node, {
        ...options,
        caller,
        signal,
        queryInPlace: null,
        hidden,
        notices: new Set(),
      })
    },
    async runCrawler(node, caller, signal) {
      requireRights(node, caller)
      const begun = beginStatement(options, node, caller)
      try {
        const report = await unlessAborted(options.crawlers.run(node.name, node.isDry), signal)
        begun.done(JSON.stringify(reportRecord(report)).length)
        return report
      } catch (error) {
        throw begun.fail(error)
      }
    },
    run: (query, caller, signal) => run(query, caller, signal, false),
    look: (query, caller, signal) => run(query, caller, signal, true),
  }
}

function requireRights(node: StatementNode, { isSuperUser }: Caller): void {
  if (!isSuperUser && needsSuperUser(node)) throw onlySuperUser()
}

function onlySuperUser(): ServiceError {
  return new ServiceError(
    'permission_denied',
    'Only the super-user may run this statement; other callers run queries, DESCRIBE, SUMMARIZE, and SHOW TABLES, COLUMNS, FUNCTIONS and EXTENSIONS.',
    { quotesNothing: true },
  )
}

function onlyLooking(): ServiceError {
  return new ServiceError(
    'permission_denied',
    'Nothing can be changed here: only queries, EXPLAIN, DESCRIBE, SUMMARIZE and SHOW are run. The super-user sends other statements by POST /api/query.',
    { quotesNothing: true },
  )
}

function notYet({ words }: Later): ServiceError {
  return new ServiceError('not_supported', `${words} is not there yet: this version cannot run it.`, {
    quotesNothing: true,
  })
}

function requireNoOutput(output: Output | null): void {
  if (output === null) return
  throw new ServiceError(
    'invalid_query',
    'output: the answer to this statement has no rows, which an output format could be for; leave "output" out',
    { quotesNothing: true },
  )
}
