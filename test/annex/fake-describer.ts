/**
 * A thread that describes files when it is told to go on, and counts what it describes. As a worker it inspects files that come with their
 * description.
 */
import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { ServiceError, toErrorData } from '../../src/plan/errors.ts'
import type { InspectedFile } from '../../src/plan/task/inspect.ts'
import type { Answer, Task } from '../../src/plan/task/task.ts'
import { BEGUN } from '../dispatch/begun.ts'
import { NO_METRICS } from '../dispatch/tasks.ts'
import { tellOn } from '../support/told.ts'
import { GO_ON } from './go-on.ts'

const tell = tellOn(BEGUN)
let described = 0

export async function run(task: Task): Promise<Answer> {
  if (task.kind === 'empty')
    return { kind: 'described', metadata: new SharedArrayBuffer(4), metrics: NO_METRICS }
  if (task.kind === 'inspect') {
    const schemas = [{ digest: '', schema: { fields: [], metadata: {} } }]
    const summary = { segments: { kind: 'list', segments: [] }, statistics: {} } as const
    const files = task.files.map(
      ({ metadata }): InspectedFile =>
        metadata === undefined ? { kind: 'needs_metadata' } : { kind: 'summary', schema: 0, summary },
    )
    return { kind: 'inspected', schemas, layouts: [], files, metrics: NO_METRICS }
  }
  if (task.kind !== 'describe') throw new TypeError(`no ${task.kind} here`)
  const count = ++described
  const channel = new BroadcastChannel(GO_ON)
  try {
    const isTold = once(channel as unknown as EventTarget, 'message')
    tell(`${task.file.path} ${count}`)
    await isTold
  } finally {
    channel.close()
  }
  if (task.file.path === 'damaged')
    return { kind: 'failed', error: toErrorData(new ServiceError('unreadable_file', 'damaged')) }
  const metadata = new SharedArrayBuffer(4)
  new Int32Array(metadata)[0] = count
  return { kind: 'described', metadata, metrics: NO_METRICS }
}
