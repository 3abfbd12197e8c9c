import { isDeepStrictEqual } from 'node:util'
import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { listNames } from '../../../plan/nearest-name.ts'
import type { StatementPlan } from '../../../plan/plan.ts'
import { columnsNamed, type SourceScan } from '../../../plan/scan.ts'
import type { OpenScan } from '../../../plan/statement/statement.ts'
import type { SqlNeedsAnswer, SqlPreparedAnswer } from '../../../plan/task/task.ts'
import type { Lease } from '../../dispatch/engines/lease.ts'
import type { Declinable, Reason } from '../bind/declined.ts'
import { tellAggregatedRows } from '../plan/grid/aggregated-rows.ts'
import type { PreparedScan } from '../plan/prepare-scan.ts'
import type { QueryContext } from '../source/query-context.ts'
import { aggregatedScans } from './aggregated-scans.ts'
import { bindScan } from './bind-scan.ts'
import { type BoundStatement, bindStatement } from './bind-statement.ts'
import { comparedPairs } from './compared-pairs.ts'
import { isLost } from './lost.ts'
import { describedOutput } from './origins/described-output.ts'
import type { RelayStatement } from './relay-statement.ts'
import type { ResolvedSource } from './sources.ts'
import type { QueryText } from './statement-names.ts'

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

/** How often a statement is prepared that loses its engine to other statements. */
const MOST_ATTEMPTS = 16

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
  const statement = await bindStatement(lease, query, opened, key, context)
  const relayed = await relayBound(relay, lease, statement, context)
  if (relayed !== null && 'done' in relayed) return relayed.done
  const { task, answer, sources, refusal } = statement
  const bound = await Promise.all(answer.scans.map((request) => bindScan(request, sources, context))).catch(
    (error: unknown) => {
      throw isServiceError(error) && error.code === 'unknown_column' ? (refusal ?? error) : error
    },
  )
  const aggregated = aggregatedScans(answer.plan)
  for (const [number, { scan }] of bound.entries()) {
    const names = columnsNamed(scan.scan)
    if (!aggregated.has(number) || scan.grids === undefined || names.length === 0) continue
    const first = sources[answer.scans[number]?.source ?? 0]?.table.summaries[0]
    await tellAggregatedRows([`what is computed of ${listNames(names)}`], scan, first, context)
  }
  const plan: StatementPlan = Object.freeze({
    engine: 'duckdb',
    sql: task.sql,
    reason: null,
    scans: Object.freeze(
      bound.map(({ scan }) => (relayed === null ? scan : withWhyNot(scan, relayed.reason))),
    ),
    operators: answer.plan,
    output: await describedOutput(answer.output, {
      text: task.sql,
      definitions: task.definitions,
      sources,
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

/** Has a bound statement relayed. The engine has the statement as it was bound if that is declined. */
async function relayBound(
  relay: RelayStatement,
  lease: Lease,
  { task, answer, sources }: BoundStatement,
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
