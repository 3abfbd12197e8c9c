import type { ObjectVersion } from '../../../plan/source/object.ts'
import type { ScanAnswer } from '../../../plan/task/task.ts'

/** Called with each answer of a worker: what it cost, and the objects that it was read from. */
export type OnAnswer = (answer: Pick<ScanAnswer, 'metrics' | 'objects'>, queueMs: number) => void

/** Called with what an answer is made from besides files; null: with more than answers are remembered by. */
export type OnObjects = (objects: readonly ObjectVersion[] | null) => void
