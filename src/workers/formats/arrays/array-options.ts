import type { FormatOptions } from '../../../plan/format/file-format.ts'
import type { ArrayFile } from './array-file.ts'
import { dimensionNames } from './dimension-names.ts'

/** What the options of a format of arrays say. */
export interface ArrayOptions {
  /** The dimensions of the grid. Null: those that keep most arrays. */
  readonly dimensions: readonly string[] | null
  /** Whether NaN is a value. Absent: each is null. */
  readonly isNanValue?: boolean
  /** Whether attributes are no columns. Absent: they are. */
  readonly areAttributesLeftOut?: boolean
  /** The columns of whose chunks statistics are kept. Absent: of none. */
  readonly statistics?: readonly string[]
  /** Names that are dimensions of the grid, or else columns of whose chunks statistics are kept. The file decides. Absent: none. */
  readonly dimensionsOrStatistics?: readonly string[]
}

export function arrayOptions({
  dimensions,
  statistics_columns: names,
  nan,
  attributes,
}: FormatOptions): ArrayOptions {
  return {
    ...(nan === 'value' && { isNanValue: true }),
    ...(attributes === false && { areAttributesLeftOut: true }),
    dimensions: Array.isArray(dimensions) ? dimensions : null,
    ...(Array.isArray(names) && { dimensionsOrStatistics: names }),
  }
}

/** The options as a file decides: if all names are its dimensions, and dimensions are not given otherwise, they are those of the grid. */
export function optionsFor(file: ArrayFile, options: ArrayOptions): ArrayOptions {
  const { dimensions, dimensionsOrStatistics: names, ...others } = options
  if (names === undefined) return options
  const namesInFile = dimensionNames(file)
  return dimensions === null && names.every((name) => namesInFile.has(name))
    ? { ...others, dimensions: names }
    : { ...others, dimensions, statistics: names }
}
