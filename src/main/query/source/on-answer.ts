import type { ObjectVersion } from '../../../plan/source/object.ts'
import type { OperatorProfile } from '../../../plan/statement/operator-profile.ts'
import type { ScanAnswer } from '../../../plan/task/task.ts'
import type { ScanMetrics } from '../../../plan/task/worker-metrics.ts'

/**
 * Called with each answer of a worker: what the task cost, and which part of that each scan of a statement, what DuckDB has measured, what it read and found, and
 * how long it was queued, in milliseconds.
 */
export type OnAnswer = (
  answer: Pick<ScanAnswer, 'metrics' | 'objects' | 'chunkRecords'> & {
    readonly scans?: readonly ScanMetrics[]
    readonly profile?: OperatorProfile
  },
  queueMs: number,
) => void

/** Called with objects that the answer of a query depends on. Null: more than are recorded. */
export type OnObjects = (objects: readonly ObjectVersion[] | null) => void
