/** The product's worker, which tells whoever asks on the channel what its core holds beside the columns that are kept. */
import { BroadcastChannel, threadId } from 'node:worker_threads'
import { workerData } from 'piscina'
import { FORMATS } from '../../src/plan/formats.ts'
import type { Answer, Task } from '../../src/plan/task/task.ts'
import { createWorker, type WorkerData } from '../../src/workers/create-worker.ts'
import { PROVIDERS } from '../../src/workers/formats/providers.ts'
import { perform } from '../../src/workers/tasks/perform.ts'

const worker = createWorker(workerData as WorkerData, { formats: FORMATS, providers: PROVIDERS })

export interface ToldMemory {
  /** The number that was asked with. */
  readonly look: number
  readonly threadId: number
  readonly bytes: number
}

const channel = new BroadcastChannel('memory')
channel.unref()
channel.onmessage = ({ data }) => {
  if (typeof data !== 'number') return
  // What queries have left goes with the next task.
  perform({ kind: 'empty', types: [] }, worker)
  const { state } = worker
  const bytes = state.core.usedBytes() - (state.columns?.bytes ?? 0)
  channel.postMessage({ look: data, threadId, bytes } satisfies ToldMemory)
}

export function run(task: Task): Answer | Promise<Answer> {
  return perform(task, worker)
}
