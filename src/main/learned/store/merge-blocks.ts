import { firstThat } from '../../../plan/binary-search.ts'
import { compareNames, copyRows, type FileBlock, type RowRun } from './file-block.ts'

/** The most files of a block that is stored, and the bytes beyond which it is divided if it has several. */
export const BLOCK_FILES = 512
const BLOCK_BYTES = 1 << 20

/** The row of a block, whose names ascend, that has the name of a row of another one. Null: none has. `near` is tried first. */
export function rowOf(block: FileBlock, asked: FileBlock, rowOfAsked: number, near: number): number | null {
  if (near < block.count && compareNames(block, near, asked, rowOfAsked) === 0) return near
  const row = firstThat(0, block.count, (each) => compareNames(block, each, asked, rowOfAsked) >= 0)
  return row < block.count && compareNames(block, row, asked, rowOfAsked) === 0 ? row : null
}

/**
 * The rows of two blocks, both of which ascend by names, in one order. Of a file that is in both there is the row of `later`. As many
 * blocks as they fill.
 */
export function mergeBlocks(earlier: FileBlock | null, later: RowRun): readonly FileBlock[] {
  return divide(earlier === null ? [later] : mergeRuns(earlier, later))
}

function mergeRuns(earlier: FileBlock, { block, from, to }: RowRun): readonly RowRun[] {
  const runs: { readonly block: FileBlock; readonly from: number; to: number }[] = []
  const add = (of: FileBlock, row: number): void => {
    const last = runs.at(-1)
    if (last?.block === of && last.to === row) last.to = row + 1
    else runs.push({ block: of, from: row, to: row + 1 })
  }
  let row = 0
  for (let laterRow = from; laterRow < to; laterRow++) {
    while (row < earlier.count && compareNames(earlier, row, block, laterRow) < 0) add(earlier, row++)
    if (row < earlier.count && compareNames(earlier, row, block, laterRow) === 0) row++
    add(block, laterRow)
  }
  while (row < earlier.count) add(earlier, row++)
  return runs
}

/** Divides rows to blocks of about equal numbers of files. */
function divide(runs: readonly RowRun[]): readonly FileBlock[] {
  const all = copyRows(runs)
  const count = Math.min(
    all.count,
    Math.max(Math.ceil(all.count / BLOCK_FILES), Math.ceil(all.bytes.length / BLOCK_BYTES)),
  )
  if (count <= 1) return [all]
  const endOf = (nth: number): number => Math.floor((all.count * nth) / count)
  return Array.from({ length: count }, (_, nth) =>
    copyRows([{ block: all, from: endOf(nth), to: endOf(nth + 1) }]),
  )
}
