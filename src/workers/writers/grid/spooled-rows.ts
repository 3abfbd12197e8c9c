import type { GridColumns } from './grid-columns.ts'

/** Where a block of rows is in a spool. */
export interface Block {
  readonly position: number
  /** In bytes. */
  readonly length: number
  readonly rows: number
}

/** The blocks of all rows, in their order. */
export interface SpooledRows {
  readonly blocks: readonly Block[]
  /** The bytes of a block with so many columns of numbers and all variables (`grid/block.rs`). */
  blockBytes(numbers: number, rows: number): number
}

export function spooledRows({ variables }: GridColumns, blocks: readonly Block[]): SpooledRows {
  return {
    blocks,
    blockBytes: (numbers, rows) => {
      const valid = pad(Math.ceil(rows / 64) * 8)
      const ofVariables = variables.map(({ width }) => pad(rows * width) + valid)
      return numbers * pad(rows * 4) + ofVariables.reduce((sum, bytes) => sum + bytes, 0)
    },
  }
}

function pad(bytes: number): number {
  return Math.ceil(bytes / 8) * 8
}
