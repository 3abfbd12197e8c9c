import { bytesOfParts } from '../../plan/task/part.ts'
import type { FailedAnswer, ScanAnswer, ScanAnswers, ScanTask } from '../../plan/task/task.ts'

/**
 * After this time no further scan of a message is begun. It is eight times what the scans of a message are estimated to take
 * together, because there may be more threads than cores. Milliseconds.
 */
const MAX_MS = 16

/** Nor is one begun once the answers have so many bytes, all of which wait for the last. */
const MAX_BYTES = 2 << 20

/**
 * Performs scans of any queries, in their order. If they take longer or return more than estimated, the rest is not begun:
 * main asks for each of those again, as another worker may be idle.
 */
export function scans(
  tasks: readonly ScanTask[],
  scan: (task: ScanTask) => ScanAnswer | FailedAnswer,
): ScanAnswers {
  const answers: (ScanAnswer | FailedAnswer)[] = []
  const until = performance.now() + MAX_MS
  let bytes = 0
  for (const task of tasks) {
    const answer = scan(task)
    answers.push(answer)
    if (answer.kind === 'rows') bytes += bytesOfParts(answer.parts)
    if (bytes >= MAX_BYTES || performance.now() >= until) break
  }
  return { kind: 'scans', answers }
}
