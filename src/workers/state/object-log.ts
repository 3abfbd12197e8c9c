import { MAX_ANSWER_OBJECTS } from '../../plan/limits.ts'
import type { ObjectVersion } from '../../plan/source/object.ts'

/** The objects that an answer of a worker is made from. */
export interface ObjectLog {
  add(objects: readonly ObjectVersion[]): void
  /** Those that were added since the last call, each once; null: more than answers are remembered by. */
  take(): readonly ObjectVersion[] | null
}

export function createObjectLog(): ObjectLog {
  let objects: Map<string, ObjectVersion> | null = null
  return {
    add(added) {
      if (added.length === 0) return
      objects ??= new Map()
      for (const each of added) {
        if (objects.size > MAX_ANSWER_OBJECTS) return
        objects.set(each.location, each)
      }
    },
    take() {
      const taken = objects
      objects = null
      if (taken === null) return NONE
      return taken.size > MAX_ANSWER_OBJECTS ? null : [...taken.values()]
    },
  }
}

const NONE: readonly ObjectVersion[] = Object.freeze([])
