import type { Grid } from '../../../plan/source/grid.ts'
import { boxAt, type GridUnits } from '../../../plan/source/grid-units.ts'
import type { UnitRun } from '../../../plan/source/unit-space.ts'
import { unitCost } from './grid/grid-batches.ts'
import { type Batches, type BatchLimits, NO_BATCHES } from './unit-sequence.ts'

/** What it takes to open a file and to read its metadata, if they are few. Nanoseconds. */
const FILE_NS = 100_000

/** The most files of a batch. Each takes some 500 bytes of the task's message. */
const MOST_FILES = 256

/** The number of tasks that a query should have, if it has many files, so that all workers have some. */
const LEAST_TASKS = 16

/** Groups grids of one unit each, which are in files that follow each other, to the batches that one task reads. */
export interface FileBatches {
  /** Adds a grid, if it has one unit that takes little. Otherwise the ones before it have to be taken first. */
  add(run: GridUnits, grid: Grid): boolean
  /** The batches of the grids that were added since the last call. */
  take(): Batches
}

/** `runs` are those of the query. A batch takes less than `ns` nanoseconds, or has one file. */
export function createFileBatches(runs: readonly UnitRun[], most: BatchLimits, ns: number): FileBatches {
  const mostFiles = Math.min(MOST_FILES, Math.ceil(runs.length / LEAST_TASKS))
  let batches: GridUnits[][] = []
  let rows = 0
  let bytes = 0
  let remainingNs = 0
  return {
    add(run, grid) {
      if (run.count !== 1) return false
      const cost = unitCost(run, grid)
      const last = batches.at(-1)
      rows += cost.rows
      bytes += cost.bytes
      remainingNs -= FILE_NS + cost.ns
      if (
        last !== undefined &&
        last.length < mostFiles &&
        remainingNs >= 0 &&
        rows <= most.rows &&
        bytes <= most.bytes
      )
        last.push(run)
      else {
        batches.push([run])
        rows = cost.rows
        bytes = cost.bytes
        remainingNs = ns - FILE_NS - cost.ns
      }
      return true
    },
    take() {
      if (batches.length === 0) return NO_BATCHES
      const taken = batches
      batches = []
      return { count: taken.length, at: (index) => (taken[index] ?? []).map((run) => boxAt(run, 0)) }
    },
  }
}
