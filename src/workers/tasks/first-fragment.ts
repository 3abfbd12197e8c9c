import type { FirstRows } from '../../plan/task/finish.ts'
import type { MergedFragment } from '../../plan/task/fragment.ts'
import type { Part } from '../../plan/task/part.ts'
import { PLACE_FIELD, placeOf } from '../../plan/task/places.ts'
import type { ScanAnswer, ScanTask } from '../../plan/task/task.ts'
import { valueType } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { collect, join } from '../formats/collect.ts'
import { countPassing, passingParts } from '../rows/passing-parts.ts'
import { type TypedTable, tableOf } from '../rows/typed-table.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { TaskContext } from '../state/task-context.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { firstRows } from '../units/first-rows.ts'
import { readUnits } from '../units/read-units.ts'

/** The first rows of each group of a task's units, or those of its rows that it names. */
export function firstFragment(
  { firsts, task: number }: Extract<MergedFragment, { kind: 'firsts' }>,
  task: ScanTask,
  state: WorkerState,
  context: TaskContext,
): Pick<ScanAnswer, 'parts' | 'span'> {
  const types = task.scan.projection.map(({ field }) => valueType(field.type))
  if (number !== undefined) return { parts: placedParts(firsts, number, task, state, context) }
  const parts: Part[] = []
  const span = readUnits(task, state, context, (unit) => {
    parts.push(...passingParts(unit, types, context))
  })
  return { parts, ...(span && { span }) }
}

/** The first rows of each group of a table. */
export function firstParts(
  firsts: FirstRows,
  { table, types }: TypedTable,
  context: TaskContext,
): readonly Part[] {
  const { core, stopwatch } = context
  const wanted = { ...firsts, isNumbered: false }
  const { mask } = stopwatch.time('group', () => firstRows(core, wanted, table, types))
  try {
    return passingParts({ ...table, mask }, types, context)
  } finally {
    core.freeMask(mask)
  }
}

/** The first rows of each group of all units together, with their places. */
function placedParts(
  firsts: FirstRows,
  number: number,
  task: ScanTask,
  state: WorkerState,
  context: TaskContext,
): readonly Part[] {
  const { core } = context
  const types = [...task.scan.projection.map(({ field }) => valueType(field.type)), PLACE_FIELD.type]
  const columnsOf: Column[][] = types.map(() => [])
  let units = 0
  let rows = 0
  const add = (unit: DecodedUnit, before: number): void => {
    const { rows: all, columns, mask } = unit
    const passing = countPassing(unit, core)
    if (passing === 0) return
    units++
    rows += passing
    const places = placeColumn(core, placeOf(number, before), all)
    try {
      for (const [index, column] of [...columns, places].entries())
        columnsOf[index]?.push(mask === null ? core.share(column) : core.filter(column, mask))
    } finally {
      core.free(places)
    }
  }
  try {
    readUnits(task, state, context, add, false, true)
    if (rows === 0) return []
    const columns = collect(core, (joined) => {
      for (const each of columnsOf) joined.push(join(core, each.splice(0)))
    })
    const table = tableOf(columns, rows)
    try {
      return units === 1 ? passingParts(table, types, context) : firstParts(firsts, { table, types }, context)
    } finally {
      state.units.release(table)
    }
  } finally {
    for (const column of columnsOf.flat()) core.free(column)
  }
}

/** A column of the places of consecutive rows. */
function placeColumn(core: Core, first: number, rows: number): Column {
  const places = Float64Array.from({ length: rows }, (_, row) => first + row)
  return core.flatColumn({
    isOptional: false,
    rows,
    stored: places.BYTES_PER_ELEMENT,
    read: 'same',
    parameter: 0,
    dictionary: null,
    pages: [{ kind: 'values', bytes: new Uint8Array(places.buffer), rows }],
  })
}
