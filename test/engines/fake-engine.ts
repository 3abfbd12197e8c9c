/** A thread for statements that does what the key of a task says, and tells the test the kind and the key of each task. */
import type { Answer, SqlRowsAnswer, SqlTask } from '../../src/plan/task/task.ts'
import { NO_METRICS } from '../dispatch/tasks.ts'
import { tellOn } from '../support/told.ts'
import { ENGINE_TASKS } from './told.ts'

const tell = tellOn(ENGINE_TASKS)

const MODULE = new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))

export function run(task: SqlTask): Answer {
  switch (task.kind) {
    case 'sql_boot':
      tell(task.module === null ? 'boot' : 'boot again')
      return { kind: 'sql_ready', functions: ['f'], module: MODULE, threadId: null }
    case 'sql_functions':
      return { kind: 'sql_functions', signatures: [] }
    case 'sql_prepare':
      tell(`prepare ${task.key}`)
      return { kind: 'sql_needs', sources: [], values: [] }
    case 'sql_open':
      tell(`open ${task.key}`)
      act(task.key, new Int32Array(task.cancel))
      return rows(false)
    case 'sql_pull':
      tell(`pull ${task.key}`)
      return rows(true)
    case 'sql_close':
      tell(`close ${task.key}`)
      return { kind: 'sql_closed', memoryBytes: task.key.startsWith('large') ? 1 << 30 : 1 << 20 }
  }
}

function act(key: string, flag: Int32Array): void {
  const [verb, amount = '0'] = key.split(':')
  // Until the test sets the word.
  if (verb === 'held') Atomics.wait(flag, 0, 0)
  if (verb === 'exit') process.exit(1)
  if (verb === 'busy') {
    const end = performance.now() + Number(amount)
    while (performance.now() < end);
  }
}

function rows(isDone: boolean): SqlRowsAnswer {
  return { kind: 'sql_rows', parts: [], isDone, metrics: NO_METRICS }
}
