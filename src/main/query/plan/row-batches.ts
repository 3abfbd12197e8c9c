import { ANSWER_BYTES, BATCH_ROWS } from '../../../plan/limits.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { type FileRef, isSmallFile } from '../../../plan/source/file.ts'
import { boxAt } from '../../../plan/source/grid-units.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import type { Unit } from '../../../plan/source/unit.ts'
import type { UnitSpace } from '../../../plan/source/unit-space.ts'
import { STEP_ITEMS, type Steps } from '../../../plan/steps.ts'
import { joinedBatches } from './batches.ts'
import { createFileBatches, type FileBatches } from './file-batches.ts'
import { type Batches, inOrder, oneByOne } from './unit-sequence.ts'

/** The time that a task of small files should take: their rows leave together. Nanoseconds. */
const BATCH_NS = 8_000_000

/**
 * The units of each task if rows are sent as they are read. Each unit is a task of its own, but small files that follow each other are read
 * in one, and their rows are in the same record batches. A task has no more files than the rows that are wanted may need.
 */
export function* rowBatches(
  units: UnitSpace,
  summaries: readonly FileSummary[],
  { files, offset, limit }: Pick<ScanPlan, 'files' | 'offset' | 'limit'>,
): Steps<Batches> {
  const { runs } = units
  if (units.count < 2) return oneByOne(inOrder(units))
  const rows = Math.min(BATCH_ROWS, Math.max(1, offset + limit))
  const together = createFileBatches(files.length, { rows, bytes: ANSWER_BYTES }, BATCH_NS)
  const batches: Batches[] = []
  for (const [index, run] of runs.entries()) {
    if (index % STEP_ITEMS === 0) yield
    if (run.kind === 'list') {
      yield* addUnits(run.units, files, together, batches)
      continue
    }
    const grid = summaries[run.file]?.segments
    const isFile = files[run.file]?.folder === undefined
    if (isFile && grid?.kind === 'grid' && together.addGrid(run, grid)) continue
    const single = oneByOne({ count: run.count, at: (unit) => boxAt(run, unit) })
    batches.push(together.take(), single)
  }
  batches.push(together.take())
  return joinedBatches(batches)
}

/** Adds listed units: those that are the only ones of small files together, others one by one. */
function* addUnits(
  units: readonly Unit[],
  files: readonly FileRef[],
  together: FileBatches,
  batches: Batches[],
): Steps<void> {
  let singly: Unit[] = []
  const takeSingly = (): void => {
    const taken = singly
    if (taken.length > 0) batches.push({ count: taken.length, at: (unit) => taken.slice(unit, unit + 1) })
    singly = []
  }
  for (const [index, unit] of units.entries()) {
    if (index % STEP_ITEMS === 0) yield
    const file = files[unit.file]
    const isOnly = units[index - 1]?.file !== unit.file && units[index + 1]?.file !== unit.file
    // A few bytes of entries may make any number of rows, which only a task of their own sends part by part.
    const isBounded = unit.kind !== 'box' && unit.kind !== 'run'
    if (isBounded && isOnly && file !== undefined && isSmallFile(file)) {
      takeSingly()
      together.addUnit(unit)
    } else {
      batches.push(together.take())
      singly.push(unit)
    }
  }
  takeSingly()
}
