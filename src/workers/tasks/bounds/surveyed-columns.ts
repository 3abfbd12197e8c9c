import { compareScalars } from '../../../plan/condition/compare.ts'
import type { Segment } from '../../../plan/source/segments.ts'
import type { ColumnStatistics } from '../../../plan/source/statistics.ts'
import {
  NO_WHOLE_COLUMNS,
  packWithTexts,
  type WholeColumn,
  type WholeColumns,
} from '../../../plan/source/whole.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { OpenFile } from '../../formats/provider.ts'

/** The most columns of a file whose statistics are surveyed, from the first one on. */
const MOST_COLUMNS = 1024

/** Types whose bounds are numbers or bytes with an order. */
const ORDERED: ReadonlySet<string> = new Set([
  'int',
  'float',
  'decimal',
  'date',
  'time',
  'timestamp',
  'utf8',
  'binary',
])

/** What the segments of a file say together of its columns, text among them. Nothing if the number of its rows is not known. */
export function surveyedColumns(opened: OpenFile, segments: readonly Segment[]): WholeColumns {
  const rows = segments.map((segment) => segment.rows ?? Number.NaN)
  const values = rows.reduce((sum, each) => sum + each, 0)
  // False for NaN too.
  if (!(values > 0)) return NO_WHOLE_COLUMNS
  const columns = opened.schema.fields
    .slice(0, MOST_COLUMNS)
    .flatMap(({ name, type }, field): WholeColumn[] => {
      const statistics = ORDERED.has(type.kind) ? mergeSegments(opened.statistics(name), rows) : null
      return statistics === null ? [] : [{ field, values, statistics }]
    })
  return packWithTexts(columns)
}

/** The statistics of all segments together, which have so many rows each. Null: nothing is known of one of them. */
export function mergeSegments(
  statistics: readonly (ColumnStatistics | null)[],
  rows: readonly number[],
): ColumnStatistics | null {
  let nulls: number | undefined = 0
  let isBounded = true
  let min: Bound | null = null
  let max: Bound | null = null
  for (const [index, count] of rows.entries()) {
    if (count === 0) continue
    const ofSegment = statistics[index] ?? null
    if (ofSegment === null) return null
    nulls = nulls === undefined || ofSegment.nulls === undefined ? undefined : nulls + ofSegment.nulls
    if (ofSegment.nulls === count) continue
    if (ofSegment.min === undefined || ofSegment.max === undefined) isBounded = false
    else {
      min = outer(min, { value: ofSegment.min, isExact: ofSegment.isMinExact === true }, -1)
      max = outer(max, { value: ofSegment.max, isExact: ofSegment.isMaxExact === true }, 1)
    }
  }
  const nullCount = nulls === undefined ? {} : { nulls }
  if (!isBounded || min === null || max === null) return nulls === undefined ? null : nullCount
  return {
    ...nullCount,
    min: min.value,
    max: max.value,
    ...(min.isExact && { isMinExact: true }),
    ...(max.isExact && { isMaxExact: true }),
  }
}

interface Bound {
  readonly value: Scalar
  readonly isExact: boolean
}

/** The bound of both: the lesser one for the sign -1, the greater one for 1. It is exact if one of equal ones is. */
function outer(a: Bound | null, b: Bound, sign: 1 | -1): Bound {
  if (a === null) return b
  const order = sign * compareScalars(a.value, b.value)
  if (order === 0) return { value: a.value, isExact: a.isExact || b.isExact }
  return order > 0 ? a : b
}
