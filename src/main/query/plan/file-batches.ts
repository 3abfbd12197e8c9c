import type { Grid } from '../../../plan/source/grid.ts'
import { boxAt, type GridUnits, type UnitAxis } from '../../../plan/source/grid-units.ts'
import { rowsIn } from '../../../plan/source/range.ts'
import type { BoxUnit, Unit } from '../../../plan/source/unit.ts'
import { type UnitCost, unitCost } from './grid/grid-batches.ts'
import { type Batches, type BatchLimits, NO_BATCHES } from './unit-sequence.ts'

/**
 * What it takes to read a small file, and to find its metadata equal to those of another one. Nanoseconds. Files whose metadata differ take
 * several times as long, but no longer than other tasks.
 */
const FILE_NS = 30_000

/** The most files of a batch. Each takes some 500 bytes of the task's message. */
const MOST_FILES = 256

/** The number of tasks that a query should have, if it has many files, so that all workers have some. */
const LEAST_TASKS = 16

/** Groups files of one unit each, which follow each other, to the batches that one task reads. */
export interface FileBatches {
  /** Adds a grid, if it has one unit that takes little. Otherwise the ones before it have to be taken first. */
  addGrid(run: GridUnits, grid: Grid): boolean
  /** Adds a unit that has all rows of a small file. Text, whose rows are not counted, counts as one. */
  addUnit(unit: Exclude<Unit, BoxUnit>): void
  /** The batches of the units that were added since the last call. */
  take(): Batches
}

/** The units of a batch, each with its file: grids of equal files have one unit in common until they are asked for. */
interface Batch {
  readonly units: Unit[]
  readonly files: number[]
}

function unitsOf({ units, files }: Batch): readonly Unit[] {
  return units.map((unit, index) => {
    const file = files[index] ?? unit.file
    return unit.file === file ? unit : { ...unit, file }
  })
}

/** The time to decode a byte of a row group or of text, and to encode it, if they are small files. Nanoseconds. */
const DECODED_BYTE_NS = 2

/** `files` are as many as the query has. A batch takes less than `ns` nanoseconds, or has one file. */
export function createFileBatches(files: number, most: BatchLimits, ns: number): FileBatches {
  const mostFiles = Math.min(MOST_FILES, Math.ceil(files / LEAST_TASKS))
  let batches: Batch[] = []
  /** The box of a file, and what it takes, by its axes: many files have the same ones. */
  const shapes = new Map<readonly UnitAxis[], { readonly box: BoxUnit; readonly cost: UnitCost }>()
  let rows = 0
  let bytes = 0
  let remainingNs = 0

  function add(
    unit: Unit,
    file: number,
    cost: { readonly rows: number; readonly bytes: number; readonly ns: number },
  ): void {
    const last = batches.at(-1)
    rows += cost.rows
    bytes += cost.bytes
    remainingNs -= FILE_NS + cost.ns
    const hasRoom = remainingNs >= 0 && rows <= most.rows && bytes <= most.bytes
    if (last !== undefined && last.files.length < mostFiles && hasRoom) {
      last.units.push(unit)
      last.files.push(file)
    } else {
      batches.push({ units: [unit], files: [file] })
      rows = cost.rows
      bytes = cost.bytes
      remainingNs = ns - FILE_NS - cost.ns
    }
  }

  return {
    addGrid(run, grid) {
      if (run.count !== 1) return false
      const { axes, file } = run
      const shape = shapes.get(axes) ?? { box: boxAt(run, 0), cost: unitCost(run, grid) }
      shapes.set(axes, shape)
      const { box, cost } = shape
      add(box, file, cost)
      return true
    },
    addUnit(unit) {
      const { decodedBytes, file } = unit
      add(unit, file, { rows: rowsIn(unit) ?? 1, bytes: decodedBytes, ns: decodedBytes * DECODED_BYTE_NS })
    },
    take() {
      if (batches.length === 0) return NO_BATCHES
      const taken = batches
      batches = []
      return { count: taken.length, at: (index) => (taken[index] ? unitsOf(taken[index]) : []) }
    },
  }
}
