/** A worker that does what the task's key says: faults come in through the entry, never through the product. */
import type { Answer, Task } from '../../src/plan/task.ts'
import { NO_METRICS } from './tasks.ts'

export function run(task: Task): Answer {
  if (task.kind !== 'scan') return { kind: 'failed', error: { code: 'internal', message: 'only scans here' } }
  const [verb, amount = '0'] = task.key.split(':')
  const flag = new Int32Array(task.cancel)
  switch (verb) {
    case 'busy': {
      const until = performance.now() + Number(amount)
      while (performance.now() < until && Atomics.load(flag, 0) === 0);
      break
    }
    case 'numb': {
      const until = performance.now() + Number(amount)
      while (performance.now() < until);
      break
    }
    case 'deaf':
      for (;;);
    case 'exit':
      process.exit(1)
      break
    case 'heap': {
      const hoard: number[][] = []
      for (;;) hoard.push(new Array(100_000).fill(1.5))
    }
    case 'fail':
      return { kind: 'failed', error: { code: 'unreadable_file', message: amount } }
  }
  return { kind: 'rows', parts: [], span: null, skipped: 0, resume: null, metrics: NO_METRICS }
}
