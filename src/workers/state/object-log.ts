import { MAX_ANSWER_OBJECTS } from '../../plan/limits.ts'
import type { ObjectVersion } from '../../plan/source/object.ts'

/** Records the objects that the answers of a worker to a task, or to a statement, are made from. */
export interface ObjectLog {
  add(objects: readonly ObjectVersion[]): void
  /** The objects that were added since the last call, each once. Null, once: in all there are more than are recorded. */
  take(): readonly ObjectVersion[] | null
}

const NONE: readonly ObjectVersion[] = Object.freeze([])

/** Records nothing. */
export const NO_OBJECT_LOG: ObjectLog = Object.freeze({ add() {}, take: () => NONE })

export function createObjectLog(): ObjectLog {
  let objects: Map<string, ObjectVersion> | null = null
  let taken = 0
  let state: 'recording' | 'full' | 'told' = 'recording'
  return {
    add(added) {
      if (added.length === 0 || state !== 'recording') return
      objects ??= new Map()
      for (const each of added) objects.set(each.location, each)
      if (taken + objects.size <= MAX_ANSWER_OBJECTS) return
      state = 'full'
      objects = null
    },
    take() {
      if (state === 'full') {
        state = 'told'
        return null
      }
      if (objects === null) return NONE
      const now = [...objects.values()]
      taken += now.length
      objects = null
      return now
    },
  }
}
