import type { ReadContext } from '../formats/provider.ts'
import type { ObjectLog } from './object-log.ts'

/** What a task reads with. */
export interface TaskContext extends ReadContext {
  readonly objects: ObjectLog
}
