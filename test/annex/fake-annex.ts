/** A thread that does what the name of a task's file says, instead of parsing metadata. */
import { threadId } from 'node:worker_threads'
import type { Answer, Task } from '../../src/plan/task/task.ts'
import { BEGUN } from '../dispatch/begun.ts'
import { NO_METRICS } from '../dispatch/tasks.ts'
import { tellOn } from '../support/told.ts'

const tell = tellOn(BEGUN)

export function run(task: Task): Answer {
  if (task.kind !== 'describe')
    return { kind: 'failed', error: { code: 'internal', message: 'only describe here' } }
  const { path } = task.file
  tell(path)
  if (path === 'hangs') for (;;);
  if (path === 'dies') process.exit(1)
  if (path === 'damaged') return { kind: 'failed', error: { code: 'unreadable_file', message: path } }
  const metadata = new SharedArrayBuffer(4)
  new Int32Array(metadata)[0] = threadId
  return { kind: 'described', metadata, metrics: NO_METRICS }
}
