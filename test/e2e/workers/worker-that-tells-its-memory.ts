/** The worker of the product. Asked on a channel, it tells how many bytes its core has besides the columns that are kept. */
import { BroadcastChannel, threadId } from 'node:worker_threads'
import { workerData } from 'piscina'
import { FORMATS } from '../../../src/plan/formats.ts'
import type { Answer, Task } from '../../../src/plan/task/task.ts'
import { createWorker, type WorkerData } from '../../../src/workers/create-worker.ts'
import { PROVIDERS } from '../../../src/workers/formats/providers.ts'
import { perform } from '../../../src/workers/tasks/perform.ts'
import { FILE_KINDS } from '../../../src/workers/writers/file-kinds.ts'

const worker = createWorker(workerData as WorkerData, {
  formats: FORMATS,
  providers: PROVIDERS,
  files: FILE_KINDS,
})

export interface ToldMemory {
  /** The number of the question. */
  readonly question: number
  readonly threadId: number
  readonly bytes: number
}

const channel = new BroadcastChannel('memory')
channel.unref()
channel.onmessage = ({ data }) => {
  if (typeof data !== 'number') return
  // What queries have left behind is freed by the next task.
  perform({ kind: 'empty', types: [] }, worker)
  const { state } = worker
  const bytes = state.core.usedBytes() - (state.columns?.bytes ?? 0)
  channel.postMessage({ question: data, threadId, bytes } satisfies ToldMemory)
}

export function run(task: Task): Answer | Promise<Answer> {
  return perform(task, worker)
}
