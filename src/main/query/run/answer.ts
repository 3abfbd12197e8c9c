import { ServiceError } from '../../../plan/errors.ts'
import { type Plan, withSubplans } from '../../../plan/plan.ts'
import type { SourceScan } from '../../../plan/scan.ts'
import { isText } from '../../../plan/task/encoding.ts'
import type { Part } from '../../../plan/task/part.ts'
import type { EmptyTask, ScanAnswer } from '../../../plan/task/task.ts'
import type { Caller } from '../../auth/caller.ts'
import { tableDigests } from '../../catalog/lookups.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import { type Body, createBody } from '../../output/body.ts'
import type { Delivery } from '../../output/deliver.ts'
import { attributesNotice } from '../../output/files/netcdf/attributes-notice.ts'
import type { PreparedOutput } from '../../output/output-format.ts'
import { OUTPUTS, prepareOutput, STREAM } from '../../output/outputs.ts'
import { explainRows } from '../duckdb/explain-rows.ts'
import { explain, explainAnalyzed } from '../explain/explain.ts'
import { normalizedRequest } from '../request/normalized.ts'
import { attributeNotice, printNotices } from '../source/notices.ts'
import { answerTag } from './answer-tag.ts'
import { measure, rowsOfRun } from './measure.ts'
import { jsonForMetrics, metricsRecord } from './metrics-record.ts'
import { outputSettings, type PreparedQuery, planAsRun, type QueryServiceOptions } from './options.ts'
import type { ParsedRequest } from './prepare/prepare-json.ts'
import { firstRows } from './rows/first-rows.ts'
import { beginRun, type Run } from './run.ts'
import type { ReceivedQuery, RunningQuery } from './service.ts'

/** Runs a query and delivers its answer, as `QueryService.run`. */
export async function answerQuery(
  options: QueryServiceOptions,
  query: ReceivedQuery,
  caller: Caller,
  signal: AbortSignal,
): Promise<RunningQuery> {
  const { metrics } = options
  const requested = query.request.output ?? STREAM
  const run = beginRun(options, query, caller, signal)
  let body: Body | undefined
  try {
    const prepared = await prepareAnswer(options, run)
    const output = prepareOutput(requested, prepared.plan.output, outputSettings(options))
    const { encoding } = output
    const { plan } = prepared
    const aboutOutput =
      isText(encoding) && output.file === null ? noticeOfText(plan) : attributesNotice(output.file, plan)
    if (aboutOutput !== null) run.onNotice(aboutOutput)
    const normalized = normalizedRequest(query.json)
    const request = JSON.stringify(normalized)
    const keptRequest = jsonForMetrics(request, normalized)
    const { id, lookedUp } = run
    const { contentType, fileName } = OUTPUTS[requested.format]
    const fingerprint = isConstant(run.kind, prepared) ? run.fingerprint : null
    // The request does not tell how many of the rows are wanted, so another answer would have the same tag.
    const hasTag = fingerprint?.isVerifiable === true && query.most === undefined
    const tag = hasTag ? tagOf(run, request, prepared, output, options) : null
    if (tag !== null && query.isKnown?.(tag, contentType)) {
      run.end('done')
      return { ...answerUnchanged(), id, contentType, fileName, fingerprint, lookedUp, tag }
    }
    // What was made before them may still be read while the rows of a statement wait.
    const onRowsIdle = (): void => body?.failIfIdle(options.cursorIdleMs, idle())
    const parts = rowsOfRun(options, run, prepared, encoding, onRowsIdle)
    const delivery: Delivery = {
      id: run.id,
      ticket: run.ticket,
      gathering: options.gathering,
      workers: options.scheduler.workers,
      onAnswer: run.onAnswer,
      schema: plan.output,
      parts: query.most === undefined ? parts : firstRows(parts, query.most),
      onIdle: () => body?.fail(idle()),
      figures: run.figures,
      emptyBatch: () => emptyBatch(prepared.plan, run.ticket),
      async complete() {
        const record = metricsRecord(run.id, caller, keptRequest, planAsRun(run.prepared()), run.figures)
        const committed = metrics.record(record)
        if (metrics.isBehind) await committed
        run.end('done')
      },
    }
    const delivered = await output.deliver(delivery, {
      folder: options.tempFolder,
      holdMs: options.textHoldMs,
      idleMs: options.cursorIdleMs,
    })
    body = createBody(delivered, (error) => run.end(error === undefined ? 'cancelled' : 'failed', error))
    const notice = run.notices.size === 0 ? null : printNotices(run.notices)
    const size = delivered.size
    // A file may have been seen while it changed.
    const tagNow = fingerprint?.isVerifiable ? tag : null
    return { id, contentType, fileName, size, body, fingerprint, lookedUp, notice, tag: tagNow }
  } catch (error) {
    throw run.fail(error)
  }
}

/** Prepares the query whose rows are the answer. For an EXPLAIN that is a statement with the text of the plan. */
async function prepareAnswer(options: QueryServiceOptions, run: Run): Promise<PreparedQuery> {
  const prepared = await run.prepare()
  if (run.kind === 'explain')
    return run.prepareInstead(explainRows(explain(prepared.plan, run.notices, run.namedSources())))
  if (run.kind !== 'explain-analyze') return prepared
  await measure(options, run, prepared)
  const rows = explainRows(explainAnalyzed(planAsRun(run.prepared()), run.figures, run.namedSources()))
  Object.assign(run.figures, { rows: 0, bytes: 0 })
  return run.prepareInstead(rows)
}

/** What is to be said of a plan whose rows leave as text. Null: nothing. */
function noticeOfText(plan: Plan): string | null {
  const scans = plan.engine === 'core' ? [plan] : plan.scans
  const hasArrays = scans.some(({ scan }) => scan.format.layout === 'grid')
  return hasArrays ? attributeNotice(plan.output.fields) : null
}

/** An answer that the client has already. */
function answerUnchanged(): Pick<RunningQuery, 'isUnchanged' | 'size' | 'body' | 'notice'> {
  const body = createBody({ next: async () => null, close() {} }, () => {})
  return { isUnchanged: true, size: 0, body, notice: null }
}

function tagOf(
  run: Run,
  request: string,
  { plan }: PreparedQuery,
  { encoding, file }: PreparedOutput,
  { heldBytes }: QueryServiceOptions,
): string | null {
  if (plan.engine !== 'core') return null
  const tables = tableDigests(run.lookedUp)
  const callerKey = run.lookedUp.caller.key
  return answerTag({
    request,
    plan,
    callerKey,
    tables,
    encoding,
    heldBytes: heldBytes,
    isFile: file !== null,
  })
}

/** Whether the answer is the same as long as the files are. That of an EXPLAIN also depends on how the query ran. */
function isConstant(kind: ParsedRequest['kind'], prepared: PreparedQuery): boolean {
  // Another service has other rows at any time.
  if (scansOf(prepared.plan).some(({ remote }) => remote !== undefined)) return false
  const isSame = 'lease' in prepared ? prepared.isConstant : prepared.asksClock !== true
  return (kind === 'json' || kind === 'query') && isSame
}

function scansOf(plan: Plan): readonly SourceScan[] {
  return plan.engine === 'core' ? withSubplans(plan) : plan.scans
}

/** Has a worker encode a record batch without rows. */
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
