import type { KnownColumn } from '../../../plan/condition/bounds.ts'
import { statisticsWidening, unchangedBounds } from '../../../plan/condition/widen-statistics.ts'
import { memoize, memoizeLast } from '../../../plan/memoize.ts'
import type { ScanSpec, SourceColumn } from '../../../plan/scan.ts'
import { type FileSummary, segmentsOf } from '../../../plan/source/segments.ts'
import type { ColumnStatistics } from '../../../plan/source/statistics.ts'
import { wholeColumn } from '../../../plan/source/whole.ts'
import { rowWidth } from '../../../plan/types/row-width.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { type DataType, fieldIndexes, isNested, type Schema, valueType } from '../../../plan/types/schema.ts'
import { type Constants, knownConstant } from './constants.ts'

/** A column of a scan in one of its files. */
export interface ColumnInFile {
  readonly name: string
  /** Its index in the file's schema. Null: the file does not have the column, so it has one value in all of the file's rows. */
  readonly index: number | null
  /** The least bytes that a row of it takes once decoded. 0: all rows share one value. */
  readonly minRowBytes: number
  /** The kind of bounds of numbers that are the same in the types of the file and of the scan. Null: there are none. */
  readonly boundKind: 'int' | 'float' | null
  /** The statistics of rows in the type of the scan, from those in the type of the file. `rows` is null if not known. */
  of(statistics: ColumnStatistics | null, rows: number | null): KnownColumn | null
}

export type ColumnsInFile = ReadonlyMap<string, ColumnInFile>

/** The columns of a scan in a file, by their source names. */
export function columnsIn(
  { schema, constants }: Pick<FileSummary, 'schema' | 'constants'>,
  { columns }: Pick<ScanSpec, 'columns'>,
): ColumnsInFile {
  const inSchema = columnsInSchema(schema, columns)
  return constants === undefined ? inSchema : columnsOfConstants(constants, columns)(inSchema)
}

/** Files of one folder have the same constants. */
const columnsOfConstants = memoizeLast((constants: Constants, columns: readonly SourceColumn[]) => {
  const constant = columns
    .filter(({ name }) => Object.hasOwn(constants, name))
    .map((column) => [column.name, constantColumn(column, constants[column.name] ?? null)] as const)
  return memoize((inSchema: ColumnsInFile): ColumnsInFile => new Map([...inSchema, ...constant]))
})

/** What the file says of a column in a segment of a list, in the type of the scan. Null: nothing. */
export function knownInSegment(
  { segments, statistics, whole }: FileSummary,
  { name, index, of }: ColumnInFile,
  segment: number,
): KnownColumn | null {
  const rows = segmentsOf(segments)[segment]?.rows ?? null
  if (index === null) return of(null, rows)
  if (Object.hasOwn(statistics, name)) return of(statistics[name]?.[segment] ?? null, rows)
  // A small file of one segment has those of all columns.
  return of((whole && wholeColumn(whole, index)?.statistics) ?? null, rows)
}

/** A scan goes through many files of one schema. */
const columnsInSchema = memoizeLast(({ fields }: Schema, columns: readonly SourceColumn[]): ColumnsInFile => {
  const indexes = fieldIndexes(fields)
  return new Map(
    columns.map((column): [string, ColumnInFile] => {
      const { name, type } = column
      const index = indexes.get(name)
      const stored = index === undefined ? undefined : fields[index]
      if (index === undefined || stored === undefined) return [name, absentColumn(column)]
      const types = [valueType(stored.type), valueType(type)] as const
      const widen = statisticsWidening(...types)
      const of = (statistics: ColumnStatistics | null, rows: number | null) => widen(statistics, rows ?? 0)
      return [name, { name, index, minRowBytes: rowWidth(type), boundKind: unchangedBounds(...types), of }]
    }),
  )
})

/** A column that the file does not have. It is null in all rows. */
function absentColumn({ name, type }: SourceColumn): ColumnInFile {
  return {
    name,
    index: null,
    minRowBytes: bytesOfConstant(type),
    boundKind: null,
    of: (_, rows) => ({ type, nulls: rows ?? 0 }),
  }
}

/** A column that has one value in all rows. */
function constantColumn({ name, type }: SourceColumn, value: Scalar | null): ColumnInFile {
  const of = (_: unknown, rows: number | null) => (rows === null ? null : knownOfConstant(type, value, rows))
  return { name, index: null, minRowBytes: bytesOfConstant(type), boundKind: null, of }
}

/** The bytes of a row of a column with one value in all rows: only nested values are stored row by row. */
function bytesOfConstant(type: DataType): number {
  return isNested(type) ? rowWidth(type) : 0
}

function knownOfConstant(type: DataType, value: Scalar | null, rows: number): KnownColumn {
  return { ...knownConstant(type, value), nulls: value === null ? rows : 0 }
}
