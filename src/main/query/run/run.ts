import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { isServiceError, ServiceError, toErrorData } from '../../../plan/errors.ts'
import type { Plan } from '../../../plan/plan.ts'
import { type Part, payloadAs } from '../../../plan/task/part.ts'
import type { EmptyTask, Encoding, ScanAnswer } from '../../../plan/task/task.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { createLookups, type LookedUp, type Lookups, tableDigests } from '../../catalog/lookups.ts'
import {
  createFingerprint,
  type Fingerprint,
  type FingerprintRecorder,
} from '../../datasets/fingerprint/fingerprint.ts'
import type { Search } from '../../datasets/fingerprint/searches.ts'
import type { OpenListing } from '../../datasets/list.ts'
import type { Scheduler } from '../../dispatch/scheduler.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import { addAnswer, createFigures, type Figures } from '../../metrics/figures.ts'
import { mayRead, metricsJson } from '../../metrics/query-metrics.ts'
import type { MetricsStore } from '../../metrics/store.ts'
import { type Body, createBody } from '../../output/body.ts'
import type { Delivery } from '../../output/deliver.ts'
import { OUTPUTS, type OutputFormat } from '../../output/outputs.ts'
import type { TempFolder } from '../../output/temp-folder.ts'
import { explainRows } from '../../sql/duckdb/explain-rows.ts'
import { type PreparedStatement, prepareStatement } from '../../sql/duckdb/prepare-statement.ts'
import { readStatement } from '../../sql/gate/gate.ts'
import { explain, explainAnalyzed } from '../explain/explain.ts'
import { normalizedRequest } from '../request/normalized.ts'
import { requireSupported, requireSupportedOutput } from '../request/supported.ts'
import { openTable } from '../source/files-table.ts'
import type { OnAnswer, Preparation, QueryContext } from '../source/query-context.ts'
import { resolveSource, type SourceResolution } from '../source/resolve-source.ts'
import { answerTag } from './answer-tag.ts'
import type { Budget, Holding } from './budget.ts'
import { keptJson, metricsRecord } from './metrics-record.ts'
import { type PreparedQuery, prepareQuery } from './prepare.ts'
import { logQuery, type QueryOutcome } from './query-log.ts'
import { rowsOf } from './rows.ts'
import type { QueryService, ReceivedQuery, RunningQuery } from './service.ts'
import type { SupportedRequest } from './supported-request.ts'

export interface QueryServiceOptions extends Preparation {
  readonly catalog: Catalog
  readonly search: Search
  readonly openListing: OpenListing
  readonly scheduler: Scheduler
  readonly metrics: MetricsStore
  readonly log: Logger
  /** Where results are written before they are sent. */
  readonly tempFolder: TempFolder
  /** Bytes of what is to be merged that a query may have waiting: no more than a worker can take. */
  readonly partialBytes: number
  /** The same of all queries together. */
  readonly partialBudget: Budget
  /** How the bodies of Arrow messages are compressed. */
  readonly ipcCompression: 'none' | 'lz4' | 'zstd'
  /** How long a statement, or a finished file, waits for a client that does not read. */
  readonly cursorIdleMs: number
  /** How long a statement may keep a worker without giving a row. */
  readonly statementMs: number
}

export function createQueryService(options: QueryServiceOptions): QueryService {
  const { scheduler, metrics, log } = options
  const files = { folder: options.tempFolder, idleMs: options.cursorIdleMs }

  /** A query from admission to its one log line. */
  interface Run {
    readonly id: string
    readonly ticket: Ticket
    readonly figures: Figures
    readonly onAnswer: OnAnswer
    readonly holding: Holding
    readonly fingerprint: Fingerprint
    readonly lookedUp: LookedUp
    readonly kind: SupportedRequest['kind']
    prepare(): Promise<PreparedQuery>
    /** Prepares another statement in place of what was prepared. */
    prepareInstead(sql: string): Promise<PreparedQuery>
    /** Prepares a statement again that its worker has lost. */
    renew(statement: PreparedStatement): Promise<PreparedStatement>
    /** Ends the query, once: later calls do nothing. */
    end(outcome: QueryOutcome, error?: unknown): void
  }

  function begin(query: ReceivedQuery, caller: Caller, signal: AbortSignal): Run {
    const { request } = query
    const supported =
      request.kind === 'sql'
        ? readStatement(request.sql, options.formats)
        : requireSupported(request, options.formats)
    const id = randomUUID()
    const ticket = scheduler.admit(query.caching)
    const figures = createFigures()
    const holding = options.partialBudget.open()
    const stop = (): void => {
      ticket.stop()
      end('cancelled')
    }
    let ended = false
    let release = (): void => {}
    function end(outcome: QueryOutcome, error?: unknown): void {
      if (ended) return
      ended = true
      signal.removeEventListener('abort', stop)
      ticket.release()
      holding.close()
      release()
      logQuery(log, { id, caller, figures, outcome, error })
    }
    /** What a worker keeps for the query is given back at its end. */
    function hold<T extends PreparedQuery>(prepared: T): T {
      if ('lease' in prepared) {
        release = prepared.lease.release
        if (ended) release()
      }
      return prepared
    }
    const onAnswer: OnAnswer = (cost, queueMs) => addAnswer(figures, cost, queueMs)
    const fingerprint = createFingerprint()
    const lookups = createLookups(options.catalog, caller)
    const context: QueryContext = {
      ...options,
      ...resolutionOf(lookups, signal, fingerprint),
      ticket,
      signal,
      onAnswer,
    }
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
      kind: supported.kind,
      async prepare() {
        const prepared = await prepareQuery(supported, id, context)
        figures.unitsPruned = prepared.pruned
        return hold(prepared)
      },
      async prepareInstead(sql) {
        release()
        return hold(await prepareStatement(sql, [], `${id}/instead`, context))
      },
      async renew(statement) {
        release()
        return hold(await statement.renew())
      },
    }
  }

  /** How sources are resolved, for one caller. What is found is noted in the lookups and in the fingerprint. */
  function resolutionOf(
    lookups: Lookups,
    signal: AbortSignal,
    fingerprint?: FingerprintRecorder,
  ): SourceResolution {
    const findFiles = (paths: readonly string[]) => options.search(paths, signal, fingerprint)
    const listing = options.openListing(signal, fingerprint)
    return { lookups, defaultTable: options.catalog.defaultTable, findFiles, listing }
  }

  function rows(run: Run, prepared: PreparedQuery, encoding: Encoding, onIdle: () => void) {
    const onPruned = (units: number): void => {
      run.figures.unitsPruned += units
    }
    return rowsOf(prepared, { ...options, ...run, encoding, onIdle, onPruned })
  }

  /** What the client is to get the rows of: of an EXPLAIN, the plan as text. */
  async function prepareAnswer(run: Run): Promise<PreparedQuery> {
    const prepared = await run.prepare()
    if (run.kind === 'explain') return run.prepareInstead(explainRows(explain(prepared.plan)))
    if (run.kind !== 'explain-analyze') return prepared
    await measure(run, prepared)
    const rows = explainRows(explainAnalyzed(prepared.plan, run.figures))
    Object.assign(run.figures, { rows: 0, bytes: 0 })
    return run.prepareInstead(rows)
  }

  /** Runs a query whose rows nobody wants. */
  async function measure(run: Run, prepared: PreparedQuery): Promise<void> {
    for await (const part of rows(run, prepared, 'arrow', () => {})) {
      run.figures.rows += part.rows
      run.figures.bytes += payloadAs(part, 'arrow').bytes.byteLength
    }
  }

  function encodingOf({ encoding }: OutputFormat): Encoding {
    const { ipcCompression } = options
    return encoding === 'arrow' && ipcCompression !== 'none' ? `arrow_${ipcCompression}` : encoding
  }

  function tagOf(run: Run, request: string, { plan }: PreparedQuery, encoding: Encoding): string | null {
    if (plan.engine !== 'core') return null
    const tables = tableDigests(run.lookedUp)
    const callerKey = run.lookedUp.caller.key
    return answerTag({ request, plan, callerKey, tables, encoding, partialBytes: options.partialBytes })
  }

  return {
    async run(query, caller, signal): Promise<RunningQuery> {
      const output = OUTPUTS[requireSupportedOutput(query.request.output)]
      const run = begin(query, caller, signal)
      let body: Body | undefined
      try {
        const prepared = await prepareAnswer(run)
        const normalized = normalizedRequest(query.json)
        const request = JSON.stringify(normalized)
        const keptRequest = keptJson(request, normalized)
        const onIdle = (): void => body?.fail(idle())
        const delivery: Delivery = {
          schema: prepared.plan.output,
          parts: rows(run, prepared, encodingOf(output), onIdle),
          onIdle,
          figures: run.figures,
          emptyBatch: () => emptyBatch(prepared.plan, run.ticket),
          async complete() {
            const record = metricsRecord(run.id, caller, keptRequest, prepared.plan, run.figures)
            const committed = metrics.record(record)
            if (metrics.isBehind) await committed
            run.end('done')
          },
        }
        const chunks = await output.deliver(delivery, files)
        body = createBody(chunks, (error) => run.end(error === undefined ? 'cancelled' : 'failed', error))
        const { contentType, fileName } = output
        const fingerprint = isConstant(run.kind, prepared) ? run.fingerprint : null
        const tag = fingerprint?.isVerifiable ? tagOf(run, request, prepared, encodingOf(output)) : null
        const { id, lookedUp } = run
        return { id, contentType, fileName, body, fingerprint, lookedUp, tag }
      } catch (error) {
        run.end('failed', error)
        throw known(error)
      }
    },

    async explain(query, caller, signal) {
      const run = begin(query, caller, signal)
      try {
        const { plan } = await run.prepare()
        run.end('explained')
        return explain(plan)
      } catch (error) {
        run.end('failed', error)
        throw known(error)
      }
    },

    async explainAnalyze(query, caller, signal) {
      const run = begin(query, caller, signal)
      try {
        const prepared = await run.prepare()
        await measure(run, prepared)
        run.end('done')
        return explainAnalyzed(prepared.plan, run.figures)
      } catch (error) {
        run.end('failed', error)
        throw known(error)
      }
    },

    metrics(id, caller) {
      try {
        const record = metrics.find(id)
        return record && mayRead(record, caller) ? metricsJson(record) : null
      } catch (error) {
        throw known(error)
      }
    },

    async schema(format, paths, caller, signal) {
      const ticket = scheduler.admit()
      const stop = (): void => ticket.stop()
      signal.addEventListener('abort', stop, { once: true })
      try {
        const lookups = createLookups(options.catalog, caller)
        const table = resolveSource({ kind: 'files', format, paths }, resolutionOf(lookups, signal))
        return (await openTable(table, [], { ...options, ticket, onAnswer: () => {} })).schema
      } catch (error) {
        throw known(error)
      } finally {
        signal.removeEventListener('abort', stop)
        ticket.release()
      }
    },
  }
}

/** Whether the answer is the same as long as the files are: an EXPLAIN tells of more than them. */
function isConstant(kind: SupportedRequest['kind'], prepared: PreparedQuery): boolean {
  return (kind === 'json' || kind === 'query') && (!('lease' in prepared) || prepared.isConstant)
}

async function emptyBatch(plan: Plan, ticket: Ticket): Promise<Part> {
  const task: EmptyTask = { kind: 'empty', types: plan.output.fields.map((field) => field.type) }
  const { answer } = await ticket.run<ScanAnswer>(task)
  const [part] = answer.parts
  if (!part) throw new ServiceError('internal', 'A worker made no empty batch.')
  return part
}

function idle(): ServiceError {
  return new ServiceError('cursor_idle', 'The client did not read for too long; its answer was given up.')
}

function known(error: unknown): ServiceError {
  if (isServiceError(error)) return error
  return new ServiceError('internal', toErrorData(error).message, { cause: error })
}
