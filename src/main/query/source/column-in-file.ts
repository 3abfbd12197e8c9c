import type { KnownColumn } from '../../../plan/predicate/bounds.ts'
import { statisticsWidening } from '../../../plan/predicate/widen-statistics.ts'
import type { ScanSpec } from '../../../plan/scan.ts'
import { type FileSummary, segmentsOf } from '../../../plan/source/segments.ts'
import type { ColumnStatistics } from '../../../plan/source/statistics.ts'
import { rowWidth } from '../../../plan/types/row-width.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { type DataType, fieldIndexes, valueType } from '../../../plan/types/schema.ts'

/** A column of a scan in one of its files. */
export interface ColumnInFile {
  /** Its index in the file's schema. Null: the file does not have the column, so it has one value in all of the file's rows. */
  readonly index: number | null
  /** The least bytes that a row of it takes once decoded. */
  readonly minRowBytes: number
  /** Its statistics in a segment of a list, in the type of the scan. */
  known(segment: number): KnownColumn | null
  /** The statistics of `rows` rows in the type of the scan, from those in the type of the file. */
  of(statistics: ColumnStatistics | null, rows: number): KnownColumn | null
}

/** The columns of a scan in a file, by their source names. */
export function columnsIn(
  summary: FileSummary,
  { columns }: Pick<ScanSpec, 'columns'>,
): ReadonlyMap<string, ColumnInFile> {
  const { fields } = summary.schema
  const places = fieldIndexes(fields)
  const segments = segmentsOf(summary.segments)
  const rowsOf = (segment: number) => segments[segment]?.rows ?? 0
  return new Map(
    columns.map(({ name, type }): [string, ColumnInFile] => {
      const minRowBytes = rowWidth(type)
      const index = places.get(name)
      const stored = index === undefined ? undefined : fields[index]
      const { constants } = summary
      if (constants !== undefined && Object.hasOwn(constants, name)) {
        const value = constants[name] ?? null
        return [
          name,
          {
            index: null,
            minRowBytes,
            known: (segment) => constantColumn(type, value, segments[segment]?.rows ?? null),
            of: (_, rows) => constantColumn(type, value, rows),
          },
        ]
      }
      if (index === undefined || stored === undefined) {
        const of = (_: unknown, rows: number): KnownColumn => ({ type, nulls: rows })
        return [name, { index: null, minRowBytes, known: (segment) => of(null, rowsOf(segment)), of }]
      }
      const statistics = (Object.hasOwn(summary.statistics, name) && summary.statistics[name]) || []
      const of = statisticsWidening(valueType(stored.type), valueType(type))
      const known = (segment: number) => of(statistics[segment] ?? null, rowsOf(segment))
      return [name, { index, minRowBytes, known, of }]
    }),
  )
}

/** The statistics of a column that has one value in all rows. Null: the number of rows is not known. */
function constantColumn(type: DataType, value: Scalar | null, rows: number | null): KnownColumn | null {
  if (rows === null) return null
  if (value === null) return { type, nulls: rows }
  return { type, min: value, max: value, isMinExact: true, isMaxExact: true, nulls: 0 }
}
