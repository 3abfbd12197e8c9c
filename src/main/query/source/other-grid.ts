import { isServiceError, type LeftOutArray } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import { type FilesTable, openTable } from './files-table.ts'
import { findLeftOutArray, withDimensions } from './left-out.ts'
import type { QueryContext } from './query-context.ts'
import type { Table } from './table.ts'

/** A source with the rows of other dimensions than those of the contract, as if the query had named them. */
export interface OtherGrid {
  readonly table: FilesTable
  /** The array by whose dimensions the rows were chosen. */
  readonly array: LeftOutArray
}

/** What a query reads: the source before it was opened, and its table. */
export interface Contract {
  readonly source: Table
  readonly table: FilesTable
}

/** The most grids that are tried one after the other, each with more dimensions than the one before. */
const MOST_GRIDS = 4

/**
 * Opens a source with the dimensions of the array that an error is about, if the grid of the contract leaves it out. `earlier` is the grid
 * on which the query has failed with this error; null: that of the contract. Columns of the contract that the grid does not have are
 * refused. Null: there is no such array, the query has named dimensions itself, the columns of the table are declared, or the grid does
 * not hold the earlier one.
 */
export async function otherGrid(
  error: unknown,
  { source, table }: Contract,
  earlier: OtherGrid | null,
  isFolded: boolean,
  context: QueryContext,
): Promise<OtherGrid | null> {
  if (source.isDeclared || optionsAlong(source.format, [], context.formats) === null) return null
  const array = await findLeftOutArray(error, (earlier ?? { table }).table, isFolded, context)
  if (array === null || !holds(array.dimensions, earlier?.array.dimensions ?? [])) return null
  const format = optionsAlong(source.format, array.dimensions, context.formats)
  if (format === null) return null
  try {
    const opened = await openTable({ ...source, format, schema: null }, [], context)
    const names = new Set(opened.schema.fields.map(({ name }) => name))
    const refused = table.schema.fields.flatMap(({ name }) => {
      if (names.has(name)) return []
      const of = `"${name}" is not among the rows of (${array.dimensions.join(', ')}), which "${array.name}" has`
      const message = `${of}. Name the dimensions of the rows with dimensions = […], or leave one of them out.`
      return [{ name, code: 'unknown_column' as const, message }]
    })
    const all = [...(opened.refused ?? []), ...refused]
    return { table: all.length === 0 ? opened : { ...opened, refused: all }, array }
  } catch (cause) {
    // A file does not have all of these dimensions, or is read in another way.
    if (isServiceError(cause) && cause.status === 400) return null
    throw cause
  }
}

/**
 * Runs a query that has failed with `error` on the grid of the arrays that it names, if that is one other grid which all files have. Throws
 * `error` if there is none.
 */
export async function onOtherGrid<T>(
  error: unknown,
  contract: Contract,
  isFolded: boolean,
  context: QueryContext,
  run: (table: FilesTable) => Promise<T>,
): Promise<T> {
  let failure = error
  let grid: OtherGrid | null = null
  for (let attempt = 0; attempt < MOST_GRIDS; attempt++) {
    grid = await otherGrid(failure, contract, grid, isFolded, context)
    if (grid === null) break
    try {
      const result = await run(grid.table)
      context.onNotice(otherGridNotice(grid))
      return result
    } catch (cause) {
      if (!isServiceError(cause) || cause.code !== 'unknown_column') throw cause
      failure = cause
    }
  }
  throw await withDimensions(error, [contract.table], isFolded, context)
}

/** The notice about a query that runs on another grid. */
export function otherGridNotice({ table: { relation }, array: { name, dimensions } }: OtherGrid): string {
  return `"${name}" is not among the default rows of ${relation}: the rows are those of dimensions = ${JSON.stringify(dimensions)}`
}

/** Whether a list of dimensions has all of another one, and more. */
function holds(dimensions: readonly string[], earlier: readonly string[]): boolean {
  const all = new Set(dimensions)
  return all.size > earlier.length && earlier.every((name) => all.has(name))
}

/** The format with rows of these dimensions. Null: it takes none, or its options say already which rows it has. */
function optionsAlong(
  { kind, layout, options }: FileFormat,
  dimensions: readonly string[],
  formats: Formats,
): FileFormat | null {
  if (layout !== 'grid' || 'dimensions' in options || 'statistics_columns' in options) return null
  const row = formats.row(kind)
  if (!row.options.some(({ name }) => name === 'dimensions')) return null
  return formats.withOptions(row, { ...options, dimensions: [...new Set(dimensions)].toSorted() })
}
