/** Entry of a worker thread: `run` is what Piscina calls. */
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { type Answer, answerBuffers, type Task } from '../plan/task/task.ts'
import { createWorker, type WorkerLimits } from './create-worker.ts'
import { perform } from './tasks/perform.ts'

const worker = createWorker(workerData as WorkerLimits)

/** The answer to a task; its encoded rows are transferred, not copied. */
export function run(task: Task): unknown {
  const answer = perform(task, worker)
  return answer instanceof Promise ? answer.then(transferred) : transferred(answer)
}

function transferred(answer: Answer): unknown {
  const buffers = answerBuffers(answer)
  if (buffers.length === 0) return answer
  return move({
    get [transferableSymbol]() {
      return buffers
    },
    get [valueSymbol]() {
      return answer
    },
  } as Parameters<typeof move>[0])
}
