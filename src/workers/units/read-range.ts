import type { SourceColumn } from '../../plan/scan.ts'
import { rowsIn } from '../../plan/source/range.ts'
import type { Unit } from '../../plan/source/unit.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { collect } from '../formats/collect.ts'
import type { ColumnSet, OpenFile, ReadContext, Selection } from '../formats/provider.ts'
import type { Store } from '../store/store.ts'
import { boxesOf } from './unit-boxes.ts'

/**
 * As `OpenFile.read`, of the rows of a unit in their order. A box whose rows come chunk by chunk is read chunk by chunk, without the chunks of
 * which no row is selected.
 */
export function readRange(
  file: OpenFile,
  store: Store,
  unit: Unit,
  columns: readonly SourceColumn[],
  context: ReadContext,
  selection?: Selection,
  areValuesEnough?: boolean,
): ColumnSet {
  const inChunks =
    unit.kind === 'box' && columns.length > 0 ? boxesOf(unit, file, selection !== undefined) : null
  if (inChunks === null) return file.read(store, unit, columns, context, selection, areValuesEnough)
  const boxes = [...inChunks]
  if (selection === undefined && boxes.length > 1 && file.readBoxes !== undefined)
    return { rows: rowsIn(unit) ?? 0, columns: file.readBoxes(store, boxes, columns, context) }
  const { core } = context
  const unitBoxes: (readonly Column[])[] = []
  let rows = 0
  let hasGaps = false
  try {
    for (const box of boxes) {
      context.checkCancelled()
      const size = rowsIn(box) ?? 0
      const isWanted = selection?.hasAny(rows, rows + size) ?? true
      unitBoxes.push(
        isWanted ? file.read(store, box, columns, context).columns : nulls(core, file, columns, size),
      )
      hasGaps ||= !isWanted
      rows += size
    }
    return { rows, columns: joinedBoxes(core, unitBoxes, columns.length), ...(hasGaps && { hasGaps }) }
  } finally {
    for (const boxColumns of unitBoxes) for (const column of new Set(boxColumns)) core.free(column)
  }
}

/** One column of all boxes for each index. */
function joinedBoxes(core: Core, unitBoxes: readonly (readonly Column[])[], columns: number): Column[] {
  return collect(core, (joinedColumns) => {
    for (let index = 0; index < columns; index++)
      joinedColumns.push(core.concat(unitBoxes.flatMap((boxColumns) => boxColumns[index] ?? [])))
  })
}

/** Columns of nulls, for rows that are not selected. */
function nulls(core: Core, file: OpenFile, columns: readonly SourceColumn[], rows: number): Column[] {
  return collect(core, (nullColumns) => {
    for (const column of columns)
      nullColumns.push(core.constant(file.typeOf(column) ?? column.type, null, rows))
  })
}
