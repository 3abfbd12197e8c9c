/**
 * The worker of the product. A scan of the column `wait` tells so when it has reached the second row group, and goes on when it is
 * told to. If it is told to die, it ends its thread.
 */
import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { type SentTask, unpackTask } from '../../../src/plan/task/packed-task.ts'
import { run as product } from '../../../src/workers/worker.ts'
import { tellOn } from '../../support/told.ts'
import { GATE, TASKS } from './told-tasks.ts'

const tell = tellOn(TASKS)
const gate = new BroadcastChannel(GATE)
gate.unref()

export async function run(sent: SentTask): Promise<unknown> {
  const task = unpackTask(sent)
  if (task.kind === 'scan' && task.unit.kind === 'rows' && task.unit.segment > 0) {
    const columns = task.scan.columns.map((column) => column.name)
    if (columns.includes('wait')) {
      const told = once(gate as unknown as EventTarget, 'message')
      tell('waits')
      const [event] = await told
      if ((event as MessageEvent).data === 'die') process.exit(1)
    }
  }
  return product(sent)
}
