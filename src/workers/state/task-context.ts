import type { ReadContext } from '../formats/provider.ts'
import type { ObjectLog } from './object-log.ts'

/** The context of a task. */
export interface TaskContext extends ReadContext {
  /** Records the objects that it reads. */
  readonly objects: ObjectLog
}
