/**
 * The worker of the product. If the answer has a column `at_KIND`, the first task of that kind for its file tells so and waits until it
 * is told to go on, or to die, which ends its thread.
 */
import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { type FileTask, isFileTask } from '../../../src/plan/task/file-tasks.ts'
import { type SentTask, unpackTask } from '../../../src/plan/task/packed-task.ts'
import { run as product } from '../../../src/workers/worker.ts'
import { tellOn } from '../../support/told.ts'
import { GATE, TASKS } from './told-tasks.ts'

const tell = tellOn(TASKS)
const gate = new BroadcastChannel(GATE)
gate.unref()

/** The kind of the task to stop at, of the files that this worker has opened. */
const stops = new Map<string, string>()

export async function run(sent: SentTask): Promise<unknown> {
  const task = unpackTask(sent)
  if (isFileTask(task) && stopOf(task) === task.kind) {
    if ('key' in task) stops.delete(task.key)
    const told = once(gate as unknown as EventTarget, 'message')
    tell(task.kind)
    const [event] = await told
    if ((event as MessageEvent).data === 'die') process.exit(1)
  }
  return product(sent)
}

function stopOf(task: FileTask): string | undefined {
  if (!('fields' in task)) return stops.get(task.key)
  const stop = task.fields.find(({ name }) => name.startsWith('at_'))?.name.slice('at_'.length)
  if ('key' in task && stop !== undefined) stops.set(task.key, stop)
  return stop
}
