import { bytesOfParts } from '../../plan/task/part.ts'
import type { FailedAnswer, ScanAnswer, ScanAnswers, ScanTask } from '../../plan/task/task.ts'

/** Some eight times what scans are thought to take that are sent together: there may be fewer cores than threads. Milliseconds. */
const LONG_MS = 16

/** Bytes that wait for the last of them. */
const LARGE_BYTES = 2 << 20

/**
 * Answers to scans of whichever queries, in their order. One that took longer or gave more than was thought is the last: those
 * behind it are left to be asked for again, for another worker may be free.
 */
export function scans(
  tasks: readonly ScanTask[],
  scan: (task: ScanTask) => ScanAnswer | FailedAnswer,
): ScanAnswers {
  const answers: (ScanAnswer | FailedAnswer)[] = []
  const until = performance.now() + LONG_MS
  let bytes = 0
  for (const task of tasks) {
    const answer = scan(task)
    answers.push(answer)
    if (answer.kind === 'rows') bytes += bytesOfParts(answer.parts)
    if (bytes >= LARGE_BYTES || performance.now() >= until) break
  }
  return { kind: 'scans', answers }
}
