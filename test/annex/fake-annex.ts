/** A thread that does what the filter of a task says, instead of using the library. */
import { threadId } from 'node:worker_threads'
import { ServiceError, toErrorData } from '../../src/plan/errors.ts'
import type { Answer, Task, UndoneAnswer } from '../../src/plan/task/task.ts'
import { askAnnex } from '../../src/workers/state/ask-annex.ts'
import { cancelCheck } from '../../src/workers/store/cancel.ts'
import { BEGUN } from '../dispatch/begun.ts'
import { tellOn } from '../support/told.ts'
import { FILTERS } from './filters.ts'

const tell = tellOn(BEGUN)

export function run(task: Task): Answer {
  try {
    return answerTo(task)
  } catch (error) {
    return { kind: 'failed', error: toErrorData(error) }
  }
}

function answerTo(task: Task): Answer {
  if (task.kind === 'undo') {
    const { filter, stored } = task.filtered
    does(FILTERS[filter.id] ?? '')
    return { kind: 'undone', bytes: new Uint32Array([threadId, stored.byteLength]).buffer }
  }
  // A worker that reads a chunk. The name of the file is what its filter does.
  if (task.kind === 'inspect') {
    const filter = { id: FILTERS.indexOf(task.files[0]?.path ?? ''), values: [] }
    const bytes = askAnnex({ stored: new ArrayBuffer(7), filter, bytes: 8 }, cancelCheck(task.cancel))
    const [thread = 0, storedBytes] = new Uint32Array(bytes)
    if (storedBytes !== 7) throw new Error(`${storedBytes} bytes came`)
    return undoneBy(thread)
  }
  throw new TypeError(`no ${task.kind} here`)
}

function does(what: string): void {
  tell(what)
  if (what === 'hangs') for (;;);
  if (what === 'dies') process.exit(1)
  if (what === 'damaged') throw new ServiceError('unreadable_file', what)
}

/** What the test asks of a worker: the number of the thread that has undone the filter. */
function undoneBy(thread: number): UndoneAnswer {
  return { kind: 'undone', bytes: new Uint32Array([thread]).buffer }
}
