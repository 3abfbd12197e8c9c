import { ANSWER_BYTES } from '../../../plan/limits.ts'
import type { Unfinished } from '../../../plan/task/fragment.ts'
import type { Part } from '../../../plan/task/part.ts'
import type { Encoding, FinishTask, ScanAnswer } from '../../../plan/task/task.ts'
import type { TaskOutcome } from '../../dispatch/job.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { OnAnswer } from '../source/on-answer.ts'

/** All that there is of a query, and how it ends. */
export type Last = Pick<FinishTask, 'ending' | 'fields'> & { readonly table: Unfinished }

export interface EndedRowsOptions {
  readonly id: string
  readonly encoding: Encoding
  readonly ticket: Ticket
  readonly onAnswer: OnAnswer
}

/**
 * The answer, made by one worker. One answer is asked for ahead of the one that is handed out; what it is made of comes
 * back with the first and is sent again should the worker have had to give up what it made.
 */
export async function* ended(
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
    // It is awaited later, or not at all when the query is stopped meanwhile.
    asked.catch(() => {})
    return asked
  }
  let kept = table
  let asked: Promise<TaskOutcome<ScanAnswer>> | null = ask(0, table)
  while (asked !== null) {
    const outcome: TaskOutcome<ScanAnswer> = await asked
    const { answer, worker, queueMs } = outcome
    onAnswer(answer, queueMs)
    kept = answer.unfinished ?? kept
    const { resume } = answer
    asked = resume === null ? null : ask(resume, answer.isGone ? kept : null, worker)
    yield* answer.parts
  }
}
