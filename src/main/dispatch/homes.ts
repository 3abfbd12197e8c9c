import { createRecent } from '../../plan/recent.ts'
import type { FileUnit, ScanTask } from '../../plan/task.ts'
import { versionKey } from '../../plan/unit.ts'
import type { Place } from './job.ts'

/** Which workers have decoded a unit, and so may still have its columns. */
export interface Homes {
  /** Where a unit is decoded best; undefined: anywhere. */
  of(task: ScanTask): Place | undefined
  note(task: ScanTask, worker: number): void
}

/** Units that are remembered, about 200 bytes each. */
const CAPACITY = 65_536

/** Bytes that a worker decodes in a millisecond: what waiting for the one that has a unit may save. */
const DECODED_BYTES_PER_MS = 500_000

/** The longest and the shortest wait for a worker that is busy. Milliseconds. */
const PATIENCE_MS = Object.freeze({ least: 1, most: 50 })

export function createHomes(): Homes {
  const homes = createRecent<readonly number[]>(CAPACITY)
  return {
    of(task) {
      // What is read together is so in every query, as far as it is read at all.
      const prefer = homes.get(keyOf(task))
      if (prefer === undefined) return undefined
      const bytes = task.more.reduce((sum, { unit }) => sum + unit.decodedBytes, task.unit.decodedBytes)
      const savedMs = bytes / DECODED_BYTES_PER_MS
      return { prefer, patienceMs: Math.min(PATIENCE_MS.most, Math.max(PATIENCE_MS.least, savedMs)) }
    },
    note(task, worker) {
      for (const each of [task, ...task.more]) {
        const key = keyOf(each)
        const known = homes.get(key) ?? []
        if (!known.includes(worker)) homes.put(key, [...known, worker])
      }
    },
  }
}

function keyOf({ file, unit }: FileUnit): string {
  return `${versionKey(file.version)} ${unit.segment} ${unit.from}`
}
