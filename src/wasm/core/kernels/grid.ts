import type { DataType } from '../../../plan/types/schema.ts'
import type { Column } from '../column.ts'

/**
 * A grid of rows that come in any order, each of which is one element. Its size is known when all rows are: until then rows are blocks of
 * bytes, which the caller keeps. Then all dimensions are sorted, the values get their places, and rows are put into the elements of one
 * box after the other. Bytes that a method returns lie in the core's memory, until its next call.
 */
export interface Grid {
  /** A block of rows: a column of each dimension, in which no row is null, then one of each variable. */
  spool(columns: readonly Column[], rows: number): Uint8Array
  /** The distinct values of a dimension so far. NaNs are one value. */
  size(dimension: number): number
  /** The values of a dimension, sorted, NaN last. Booleans are bytes. `unit`: that of times, of `GRID_UNITS`. */
  sort(dimension: number): { readonly values: ArrayBuffer; readonly unit: number }
  /** The coarsest unit in which all times of a variable are exact, of `GRID_UNITS`. */
  unit(variable: number): number
  /**
   * Gives each value its place. The values of the dimensions before `split` choose the box, with every `rows` values of that
   * dimension. In a box the last dimension changes fastest. Returns how many boxes there are.
   */
  arrange(split: number, rows: number): number
  /**
   * Splits a block by boxes. `fill` has to write its bytes. `blocks` has a block for each box
   * that has rows, one after the other.
   */
  distribute(block: GridBlock): { readonly blocks: Uint8Array; readonly counts: Uint32Array }
  /** Begins a box, all elements of which are empty. */
  begin(elements: number): void
  /** Puts the rows of a block into their elements: the last value that is not null stays. If it is not distributed, there is one box. */
  put(block: GridBlock, isDistributed: boolean): void
  /** The values of a variable in all elements of the box, times in their unit. */
  values(variable: number): ElementValues
  /** To be called once. */
  free(): void
}

interface ElementValues {
  readonly bytes: Uint8Array
  /** The number of elements without a value, which hold the fill value. */
  readonly empty: number
  /** Whether a row, in any box, has the fill value as its value. */
  readonly holdsFill: boolean
}

export interface GridVariable {
  readonly type: DataType
  /** What empty elements hold: one value. */
  readonly fill: Uint8Array
}

export interface GridBlock {
  readonly rows: number
  /** In bytes. */
  readonly length: number
  /** Has to write all bytes. */
  fill(target: Uint8Array): void
}

/** The units of times in files of grids, by their numbers (`grid/units.rs`). */
export const GRID_UNITS = Object.freeze([
  'days',
  'hours',
  'minutes',
  'seconds',
  'milliseconds',
  'microseconds',
  'nanoseconds',
] as const)
