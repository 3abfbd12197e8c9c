import { ANSWER_BYTES } from '../../../../plan/limits.ts'
import type { Encoding } from '../../../../plan/task/encoding.ts'
import type { Unfinished } from '../../../../plan/task/fragment.ts'
import type { Part } from '../../../../plan/task/part.ts'
import type { FinishTask, ScanAnswer } from '../../../../plan/task/task.ts'
import type { TaskOutcome } from '../../../dispatch/queued-task.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { OnAnswer } from '../../source/on-answer.ts'

/** The fragments of a query, or the row that is known of it, and what is made of them in the end. */
export type Last = Pick<FinishTask, 'ending' | 'fields'> & { readonly table: Unfinished }

/** What the end of a query is run with. */
export interface EndedRowsOptions {
  readonly id: string
  readonly encoding: Encoding
  readonly ticket: Ticket
  readonly onAnswer: OnAnswer
}

/**
 * Has one worker make the answer of the fragments, slice by slice. The next slice is asked for while one is handed out. The worker
 * returns the fragments with the first slice, so that they can be sent again if it has to give up the table it made of them.
 */
export async function* endRows(
  { ending, fields, table }: Last,
  { id, encoding, ticket, onAnswer }: EndedRowsOptions,
): AsyncGenerator<Part, void, undefined> {
  const ask = (
    resume: number,
    from: Unfinished | null,
    worker?: number,
  ): Promise<TaskOutcome<ScanAnswer>> => {
    const task: FinishTask = {
      kind: 'finish',
      key: `${id}/end`,
      ending,
      fields,
      table: from,
      resume,
      skip: 0,
      take: Number.POSITIVE_INFINITY,
      encoding,
      answerBytes: ANSWER_BYTES,
      cancel: ticket.cancel,
    }
    const asked = ticket.run<ScanAnswer>(task, worker === undefined ? undefined : { only: worker })
    // Awaited later, or never if the query is stopped. Until then a rejection must not count as unhandled.
    asked.catch(() => {})
    return asked
  }
  let unfinishedTable = table
  let asked: Promise<TaskOutcome<ScanAnswer>> | null = ask(0, table)
  while (asked !== null) {
    const outcome: TaskOutcome<ScanAnswer> = await asked
    const { answer, worker, queueMs } = outcome
    onAnswer(answer, queueMs)
    unfinishedTable = answer.unfinished ?? unfinishedTable
    const { resume } = answer
    asked = resume === null ? null : ask(resume, answer.isGone ? unfinishedTable : null, worker)
    yield* answer.parts
  }
}
