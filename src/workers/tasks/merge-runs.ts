import type { Part } from '../../plan/task/part.ts'
import type { MergeRunsTask, RunSlice } from '../../plan/task/sort-tasks.ts'
import type { ScanAnswer } from '../../plan/task/task.ts'
import type { DataType } from '../../plan/types/schema.ts'
import type { Column, Order } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { collect, join } from '../formats/collect.ts'
import { encodeParts } from '../rows/encode-rows.ts'
import { sortRows } from '../rows/final-rows.ts'
import { rowTable } from '../rows/row-table.ts'
import { at } from '../rows/typed-table.ts'
import type { TaskContext } from '../state/task-context.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'

/**
 * Joins slices of runs, sorts them, and encodes the wanted rows. The sort is stable, so rows with equal keys stay in the order of
 * the runs.
 */
export function mergeRuns(task: MergeRunsTask, state: WorkerState, context: TaskContext): ScanAnswer {
  const { stopwatch } = context
  const bytes = task.slices.reduce((sum, slice) => sum + slice.bytes.byteLength, 0)
  state.reclaim(bytes * DECOMPRESSED, stopwatch)
  const parts = withMemory(state, context, () => mergeSortedRuns(task, state, context))
  // They would wait for the garbage collector, which does not see how large they are.
  for (const slice of task.slices) slice.bytes.transfer(0)
  return { kind: 'rows', parts, skipped: 0, resume: null, metrics: stopwatch.metrics() }
}

/** How many times as large rows are in memory as in compressed blocks, as a guess, both as they are read and joined. */
const DECOMPRESSED = 4

function mergeSortedRuns(task: MergeRunsTask, state: WorkerState, context: TaskContext): readonly Part[] {
  const { core, stopwatch } = context
  const { finish, types: outputTypes } = task.ending
  const { table, types } = rowTable(task.slices.map(partOf), task.fields, context)
  try {
    const { columns, rows } = table
    if (rows === 0) return []
    const order = stopwatch.time('sort', () => sortRows(core, finish.order, table, types, null, rows))
    try {
      const { from, to } = rangeOfRows(task, rows, order, core)
      const output = finish.output.map((index) => at(columns, index))
      const unit = { ...table, columns: output, order, rows: to, from: 0 }
      const wanted = { ...ALL_ROWS, take: to - from, encoding: task.encoding }
      return encodeParts(wanted, unit, outputTypes, from, context).parts
    } finally {
      core.freeOrder(order)
    }
  } finally {
    state.units.release(table)
  }
}

const ALL_ROWS = Object.freeze({ answerBytes: Number.POSITIVE_INFINITY })

function partOf({ rows, bytes, dictionaries }: RunSlice): Part {
  const sent = dictionaries.map((each) => ({ ...each, bytes: each.bytes.slice().buffer }))
  return { rows, from: 0, payload: { kind: 'arrow', bytes, metadataBytes: 0, dictionaries: sent } }
}

/** The range of the order that is between the two ends, and within offset and limit. */
function rangeOfRows(
  { after, upTo, before, ending: { offset, limit } }: MergeRunsTask,
  rows: number,
  order: Order,
  core: Core,
): { readonly from: number; readonly to: number } {
  const [first, end] = placesOf([after, upTo], rows, order, core)
  const from = first ?? 0
  const to = Math.min(end ?? rows, offset + limit - before)
  return { from: Math.max(from, offset - before), to }
}

const INT8: DataType = Object.freeze({ kind: 'int', bits: 8, signed: true })

/** For each of some rows how many rows of the order come up to it, itself included. Null for null. */
function placesOf(
  wanted: readonly (number | null)[],
  rows: number,
  order: Order,
  core: Core,
): readonly (number | null)[] {
  return wanted.map((row) => {
    if (row === null) return null
    const marked = markedAt(core, row, rows)
    try {
      const taken = core.take(marked, order, 0, rows)
      try {
        const mask = core.compare(taken, INT8, 'eq', { kind: 'int', value: 1n })
        try {
          return core.advance(mask, rows, 0, 1).row
        } finally {
          core.freeMask(mask)
        }
      } finally {
        core.free(taken)
      }
    } finally {
      core.free(marked)
    }
  })
}

/** A column that is 1 at a row, and 0 everywhere else. */
function markedAt(core: Core, row: number, rows: number): Column {
  const constant = (value: bigint, count: number): Column =>
    core.constant(INT8, { kind: 'int', value }, count)
  const columns = collect(core, (marks) => {
    if (row > 0) marks.push(constant(0n, row))
    marks.push(constant(1n, 1))
    if (row + 1 < rows) marks.push(constant(0n, rows - row - 1))
  })
  return join(core, columns)
}
