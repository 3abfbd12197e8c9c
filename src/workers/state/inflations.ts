import type { InflateTask } from '../../plan/task/inflate.ts'
import type { Inflater, ReadNext } from '../formats/compressed/inflater.ts'

/** A file that is being inflated, task by task. */
export interface Inflation {
  readonly inflater: Inflater
  /** Up to where the compressed bytes are read. */
  readonly position: { at: number }
  /** Hands over the compressed bytes. Each task reads through a store of its own. */
  read: ReadNext
  /** A byte that was inflated and is not written yet. By it a task knows whether the file has ended. Null: there is none. */
  ahead: number | null
}

/** The files that a worker is inflating. */
export interface Inflations {
  get(key: string): Inflation | undefined
  put(task: Pick<InflateTask, 'key' | 'cancel'>, inflation: Inflation): void
  remove(key: string): void
  /** Gives up those for which nobody waits any more. */
  removeCancelled(): void
}

export function createInflations(): Inflations {
  const inflations = new Map<string, { readonly flag: Int32Array; readonly inflation: Inflation }>()
  return {
    get: (key) => inflations.get(key)?.inflation,
    put: ({ key, cancel }, inflation) => inflations.set(key, { flag: new Int32Array(cancel), inflation }),
    remove: (key) => inflations.delete(key),
    removeCancelled() {
      for (const [key, { flag }] of inflations) if (Atomics.load(flag, 0) !== 0) inflations.delete(key)
    },
  }
}
