/** A worker that does what the task's key says. Faults are made by this entry file: the product has no code for them. */
import type { Answer, FailedAnswer, ScanAnswer, ScanTask, Task } from '../../src/plan/task/task.ts'
import { scans } from '../../src/workers/tasks/scans.ts'
import { tellOn } from '../support/told.ts'
import { until } from '../support/until.ts'
import { BEGUN } from './begun.ts'
import { NO_METRICS } from './tasks.ts'

const tell = tellOn(BEGUN)

let messages = 0

export function run(task: Task): Answer {
  messages++
  if (task.kind === 'scans') return scans(task.tasks, scanned)
  if (task.kind === 'scan') return scanned(task)
  return { kind: 'failed', error: { code: 'internal', message: 'only scans here' } }
}

function scanned(task: ScanTask): ScanAnswer | FailedAnswer {
  tell(task.key)
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
    case 'held': {
      // Until the test sets the word that the task has a claim on.
      const { words, index = 0 } = task.claim ?? {}
      if (words !== undefined) Atomics.wait(new Int32Array(words), index, 0)
      break
    }
    case 'exit':
      process.exit(1)
      break
    case 'last': {
      // It answers, and ends once the query has left.
      void until('the query has left', () => Atomics.load(flag, 0) === 1).then(() => process.exit(1))
      break
    }
    case 'heap': {
      const hoard: number[][] = []
      for (;;) hoard.push(new Array(100_000).fill(1.5))
    }
    case 'fail':
      return { kind: 'failed', error: { code: 'unreadable_file', message: amount } }
  }
  // Tells the test with which message the task came.
  const answer: ScanAnswer = {
    kind: 'rows',
    parts: [],
    skipped: messages,
    resume: null,
    metrics: NO_METRICS,
  }
  return verb === 'kept' || verb === 'last'
    ? { ...answer, metrics: { ...NO_METRICS, unitsRead: 1, columnHits: 1 } }
    : answer
}
