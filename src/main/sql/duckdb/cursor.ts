import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { ANSWER_BYTES } from '../../../plan/limits.ts'
import { type PackedScan, packScan } from '../../../plan/statement/packed-scan.ts'
import type { OpenScan } from '../../../plan/statement/statement.ts'
import { runInSlices, type Steps } from '../../../plan/steps.ts'
import type { Encoding } from '../../../plan/task/encoding.ts'
import type { Part } from '../../../plan/task/part.ts'
import type { SqlOpenTask, SqlPullTask, SqlRowsAnswer } from '../../../plan/task/task.ts'
import type { TaskOutcome } from '../../dispatch/job.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { OnAnswer } from '../../query/source/on-answer.ts'
import { createAssistants } from './assistants.ts'
import type { PreparedStatement } from './prepare-statement.ts'

export interface CursorOptions {
  /** The number of workers in the pool. */
  readonly workers: number
  readonly encoding: Encoding
  readonly ticket: Ticket
  readonly onAnswer: OnAnswer
  /** Called after each `idleMs` in which nobody has taken the next rows. */
  onIdle(): void
  readonly idleMs: number
  /** How long the statement may keep its worker without returning a row, all of its tasks together. */
  readonly limitMs: number
}

/** How often a statement is begun whose worker is lost because of other queries. */
const MOST_BEGINNINGS = 4

/**
 * The rows of a prepared statement, in its order. If its worker is lost because of another query before any row has been handed
 * out, the statement is prepared and begun again.
 */
export async function* statementRows(
  prepared: PreparedStatement,
  renew: (lost: PreparedStatement) => Promise<PreparedStatement>,
  options: CursorOptions,
): AsyncGenerator<Part, void, undefined> {
  let statement = prepared
  for (let beginning = 1; ; beginning++) {
    let hasLeft = false
    try {
      for await (const part of cursorRows(statement, options)) {
        hasLeft = true
        yield part
      }
      return
    } catch (error) {
      if (hasLeft || beginning === MOST_BEGINNINGS || !isLost(error)) throw error
    }
    statement = await renew(statement)
  }
}

function isLost(error: unknown): boolean {
  return isServiceError(error) && error.code === 'statement_lost'
}

/**
 * The rows of a statement as long as its worker has it. The next answer is asked for while one is handed out, so a client that does
 * not read keeps two answers in memory, and no worker busy.
 */
async function* cursorRows(
  { key, lease: { worker }, scans }: PreparedStatement,
  options: CursorOptions,
): AsyncGenerator<Part, void, undefined> {
  const { ticket } = options
  let withoutRowMs = 0
  const ask = (task: SqlOpenTask | SqlPullTask): Promise<TaskOutcome<SqlRowsAnswer>> => {
    const askedAt = performance.now()
    const asked = ticket.run<SqlRowsAnswer>(task, { only: worker }).then((outcome) => {
      const tookMs = performance.now() - askedAt - outcome.queueMs
      withoutRowMs = outcome.answer.parts.length > 0 ? 0 : withoutRowMs + tookMs
      return outcome
    })
    // Awaited later, or never if the query is stopped. Until then a rejection must not count as unhandled.
    asked.catch(() => {})
    return asked
  }
  const packed = await runInSlices(packScans(scans))
  const assistants =
    options.workers > 1 && scans.some(({ units }) => units.count > 1)
      ? createAssistants({
          key,
          scans,
          ticket,
          ahead: 2 * (options.workers - 1),
          onAnswer: options.onAnswer,
        })
      : null
  let asked: Promise<TaskOutcome<SqlRowsAnswer>> | null = ask({
    kind: 'sql_open',
    key,
    scans: packed,
    assistance: assistants?.assistance ?? null,
    encoding: options.encoding,
    answerBytes: ANSWER_BYTES,
    caching: ticket.caching,
    cancel: ticket.cancel,
  })
  try {
    while (asked !== null) {
      const { answer, queueMs }: TaskOutcome<SqlRowsAnswer> = await asked
      options.onAnswer(answer, queueMs)
      if (withoutRowMs > options.limitMs && !answer.isDone)
        throw new ServiceError('time_limit', `The statement gave no row for ${options.limitMs / 1000} s.`)
      asked = answer.isDone ? null : ask({ kind: 'sql_pull', key, answerBytes: ANSWER_BYTES })
      for (const part of answer.parts) {
        const idle = asked === null ? undefined : setInterval(options.onIdle, options.idleMs).unref()
        try {
          yield part
        } finally {
          clearInterval(idle)
        }
      }
    }
  } finally {
    assistants?.end()
  }
}

function* packScans(scans: readonly OpenScan[]): Steps<readonly PackedScan[]> {
  const packed: PackedScan[] = []
  for (const scan of scans) packed.push(yield* packScan(scan))
  return packed
}
