import type { BoxRange } from '../../plan/source/range.ts'

/** The columns of a file of arrays of whose chunks statistics are kept. */
export interface ChunkedColumns {
  has(column: string): boolean
  /** The number of indices that a chunk of such a column has along a dimension of the file. Null: none has the dimension. */
  stepAlong(dimension: number): number | null
  /** The chunks that have the values of such a column in a box of the grid. */
  chunksIn(column: string, range: BoxRange): Iterable<ColumnChunk>
}

/** A chunk of the values of a column. */
export interface ColumnChunk {
  /**
   * Names the chunk, and all but the bytes of its object that its values depend on. So it is another name if the metadata of the array are
   * others, or the array has grown and more of the chunk lies in it.
   */
  readonly name: string
  /** The key of the object that has it. */
  readonly object: string
  /** All of its values: the axes are those of the column alone. */
  readonly range: BoxRange
  /** Whether all of them were decoded to read the box. */
  readonly isDecoded: boolean
}
