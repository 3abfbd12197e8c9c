import { ANSWER_BYTES, BATCH_ROWS } from '../../../plan/limits.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { boxAt } from '../../../plan/source/grid-units.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import type { UnitRun, UnitSpace } from '../../../plan/source/unit-space.ts'
import { STEP_ITEMS, type Steps } from '../../../plan/steps.ts'
import { joinedBatches } from './batches.ts'
import { createFileBatches } from './file-batches.ts'
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
  if (runs.length < 2) return oneByOne(inOrder(units))
  const rows = Math.min(BATCH_ROWS, Math.max(1, offset + limit))
  const together = createFileBatches(runs, { rows, bytes: ANSWER_BYTES }, BATCH_NS)
  const batches: Batches[] = []
  for (const [index, run] of runs.entries()) {
    if (index % STEP_ITEMS === 0) yield
    const grid = run.kind === 'grid' ? summaries[run.file]?.segments : undefined
    const isFile = run.kind === 'grid' && files[run.file]?.folder === undefined
    if (isFile && grid?.kind === 'grid' && together.add(run, grid)) continue
    batches.push(together.take(), singly(run))
  }
  batches.push(together.take())
  return joinedBatches(batches)
}

function singly(run: UnitRun): Batches {
  if (run.kind === 'grid') return oneByOne({ count: run.count, at: (index) => boxAt(run, index) })
  return { count: run.units.length, at: (index) => run.units.slice(index, index + 1) }
}
