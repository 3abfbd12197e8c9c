import type { ObjectVersion } from '../../../plan/source/object.ts'
import type { ScanAnswer } from '../../../plan/task/task.ts'

/** Called with each answer of a worker: what the task cost, what it read and found, and how long it was queued, in milliseconds. */
export type OnAnswer = (
  answer: Pick<ScanAnswer, 'metrics' | 'objects' | 'chunkRecords'>,
  queueMs: number,
) => void

/** Called with objects that the answer of a query depends on. Null: more than are recorded. */
export type OnObjects = (objects: readonly ObjectVersion[] | null) => void
