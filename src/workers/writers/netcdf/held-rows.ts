import { firstThat } from '../../../plan/binary-search.ts'
import type { PlainArray, PlainBatch } from '../plain-batches.ts'

/** Rows `from`..`from + rows` of a batch. */
export interface RowSlice {
  readonly batch: PlainBatch
  readonly from: number
  readonly rows: number
}

/** Rows that are held until they are as many as are written at once. */
export interface HeldRows {
  readonly rows: number
  /**
   * Adds rows of a batch from row `from` on, up to `rows` held ones, and stops behind the row with which the values held reach `bytes`.
   * Returns how many were added, and whether no more are to be. Both depend on the rows alone, and not on how they come in batches.
   */
  add(batch: PlainBatch, from: number, rows: number): { readonly added: number; readonly isFull: boolean }
  /** All rows, which are held no longer. */
  take(): readonly RowSlice[]
}

/** `width`: the bytes of a row without its texts. */
export function createHeldRows(width: number, bytes: number): HeldRows {
  let slices: RowSlice[] = []
  let heldRows = 0
  let heldBytes = 0
  return {
    get rows() {
      return heldRows
    },
    add(batch, from, rows) {
      const texts = batch.arrays.flatMap(({ offsets }) => (offsets === null ? [] : [offsets]))
      const bytesOf = (count: number): number =>
        texts.reduce(
          (sum, offsets) => sum + (offsets[from + count] ?? 0) - (offsets[from] ?? 0),
          count * width,
        )
      const most = Math.min(batch.rows - from, rows - heldRows)
      const added = firstThat(1, most, (count) => heldBytes + bytesOf(count) >= bytes)
      slices.push({ batch, from, rows: added })
      heldRows += added
      heldBytes += bytesOf(added)
      return { added, isFull: heldRows === rows || heldBytes >= bytes }
    },
    take() {
      const taken = slices
      slices = []
      heldRows = heldBytes = 0
      return taken
    },
  }
}

/** The array of a column in a slice. */
export function arrayOf({ batch }: RowSlice, column: number): PlainArray {
  const array = batch.arrays[column]
  if (array === undefined) throw new RangeError(`column ${column} of ${batch.arrays.length}`)
  return array
}
