import { ANSWER_BYTES } from '../../../plan/limits.ts'
import { type PackedScan, packScan } from '../../../plan/statement/packed-scan.ts'
import type { OpenScan } from '../../../plan/statement/statement.ts'
import { runInSlices, type Steps } from '../../../plan/steps.ts'
import type { Encoding } from '../../../plan/task/encoding.ts'
import type { Part } from '../../../plan/task/part.ts'
import type { SqlOpenTask, SqlPullTask, SqlRowsAnswer } from '../../../plan/task/task.ts'
import type { TaskOutcome } from '../../dispatch/queued-task.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { OnAnswer } from '../source/on-answer.ts'
import { createAssistants } from './assistants.ts'
import { isLost } from './lost.ts'
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
}

/** How often a statement is begun that loses its engine to other statements. */
const MOST_BEGINNINGS = 16

/** A statement whose joins compare more pairs of rows than this one by one is expected to be long. */
const MANY_PAIRS = 1e7

/**
 * The rows of a prepared statement, in its order. If it loses its engine to another statement before any row has been handed out, it
 * is prepared and begun again.
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

/**
 * The rows of a statement as long as its engine has it. The next answer is asked for while one is handed out, so a client that does
 * not read keeps two answers in memory, and no engine busy.
 */
async function* cursorRows(
  { key, lease, scans, pairs }: PreparedStatement,
  options: CursorOptions,
): AsyncGenerator<Part, void, undefined> {
  const { ticket } = options
  if (pairs > MANY_PAIRS) lease.expectLong()
  const ask = (task: SqlOpenTask | SqlPullTask): Promise<TaskOutcome<SqlRowsAnswer>> => {
    const asked = lease.run<SqlRowsAnswer>(task)
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
          ahead: 2 * options.workers,
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
      if (answer.parts.length > 0) lease.rowsHaveLeft()
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
