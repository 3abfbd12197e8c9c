import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { type SentTask, unpackTask } from '../plan/task/packed-task.ts'
import { type Answer, answerBuffers } from '../plan/task/task.ts'
import { createWorker, type WorkerData, type WorkerParts } from './create-worker.ts'
import { perform } from './tasks/perform.ts'

/**
 * The function that the entry of a worker thread exports as `run`, which Piscina calls with each task. The buffers of an
 * answer are transferred, not copied.
 */
export function runWorker(parts: WorkerParts): (task: SentTask) => unknown {
  const worker = createWorker(workerData as WorkerData, parts)
  return (task) => {
    const answer = perform(unpackTask(task), worker)
    return answer instanceof Promise ? answer.then(transfer) : transfer(answer)
  }
}

function transfer(answer: Answer): unknown {
  const buffers = answerBuffers(answer)
  if (buffers.length === 0) return answer
  return move({ [transferableSymbol]: buffers, [valueSymbol]: answer } as Parameters<typeof move>[0])
}
