import type { SourceColumn } from '../../plan/scan.ts'
import type { BoxRange } from '../../plan/source/range.ts'
import type { BoxUnit, Unit } from '../../plan/source/unit.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { collect } from '../formats/collect.ts'
import type { ColumnSet, OpenFile, ReadContext, Selection } from '../formats/provider.ts'
import type { Store } from '../store/store.ts'

/** As `OpenFile.read`, of the rows of a unit in their order. A box whose rows come chunk by chunk is read chunk by chunk. */
export function readRange(
  file: OpenFile,
  store: Store,
  unit: Unit,
  columns: readonly SourceColumn[],
  context: ReadContext,
  selection?: Selection,
  areValuesEnough?: boolean,
): ColumnSet {
  if (unit.kind !== 'box' || unit.chunk === undefined || columns.length === 0)
    return file.read(store, unit, columns, context, selection, areValuesEnough)
  const { core } = context
  const pieces: (readonly Column[])[] = []
  let rows = 0
  try {
    for (const box of chunksOf(unit, unit.chunk)) {
      context.checkCancelled()
      const piece = file.read(store, box, columns, context)
      pieces.push(piece.columns)
      rows += piece.rows
    }
    return { rows, columns: joinedPieces(core, pieces, columns.length) }
  } finally {
    for (const piece of pieces) for (const column of new Set(piece)) core.free(column)
  }
}

/** One column of all pieces for each index. */
function joinedPieces(core: Core, pieces: readonly (readonly Column[])[], columns: number): Column[] {
  return collect(core, (made) => {
    for (let index = 0; index < columns; index++)
      made.push(core.concat(pieces.flatMap((piece) => piece[index] ?? [])))
  })
}

/** The parts of a box that are in one chunk each, in the C order of the chunks. */
function* chunksOf({ dimensions, origin, extent }: BoxUnit, chunk: readonly number[]): Generator<BoxRange> {
  const end = origin.map((from, axis) => from + (extent[axis] ?? 0))
  const at = [...origin]
  for (;;) {
    const to = at.map((from, axis) => Math.min(end[axis] ?? 0, nextChunk(from, chunk[axis] ?? 1)))
    yield {
      kind: 'box',
      dimensions,
      origin: [...at],
      extent: to.map((each, axis) => each - (at[axis] ?? 0)),
    }
    let axis = at.length - 1
    for (; axis >= 0; axis--) {
      at[axis] = nextChunk(at[axis] ?? 0, chunk[axis] ?? 1)
      if ((at[axis] ?? 0) < (end[axis] ?? 0)) break
      at[axis] = origin[axis] ?? 0
    }
    if (axis < 0) return
  }
}

function nextChunk(index: number, chunk: number): number {
  return (Math.floor(index / chunk) + 1) * chunk
}
