import { isServiceError } from '../../../plan/errors.ts'
import { productOf } from '../../../plan/product-of.ts'
import type { ColumnStatistics } from '../../../plan/source/statistics.ts'
import { packWhole, type WholeColumn, type WholeColumns } from '../../../plan/source/whole.ts'
import type { Reading } from './box/read-array.ts'
import type { ArrayColumn, ArraysColumn } from './columns.ts'
import { MOST_SINGLE, statisticsOfElements } from './coordinates.ts'
import type { WholePlace } from './element-place.ts'
import { readElements } from './elements.ts'
import { placeOf } from './places.ts'

/** The most values of an array that no query has named, and the most such arrays. Reading one takes some 10 microseconds. */
const FEW_VALUES = 64
const FEW_ARRAYS = 32

/**
 * What is known of all values of arrays without dimensions or with one, which are read for that: of `named` ones, which a query compares
 * or aggregates, and in a small file of others with few values. Those of the fields `others` are left out.
 */
export function wholeColumns(
  columns: ReadonlyMap<string, ArraysColumn>,
  named: readonly string[],
  isSmall: boolean,
  reading: Reading,
  others: ReadonlySet<number>,
): WholeColumns {
  const entries: WholeColumn[] = []
  let fewLeft = isSmall ? FEW_ARRAYS : 0
  for (const [field, column] of [...columns.values()].entries()) {
    if (others.has(field)) continue
    const computed = column.kind === 'array' ? computedStatistics(column) : null
    if (computed !== null) {
      entries.push({ field, ...computed })
      continue
    }
    const values = column.kind === 'array' ? numbersOf(column) : 0
    const isNamed = named.includes(column.name)
    const isRead = isNamed ? values <= MOST_SINGLE : values <= FEW_VALUES && fewLeft > 0
    if (column.kind !== 'array' || values === 0 || !isRead) continue
    if (!isNamed) fewLeft--
    const statistics = statisticsOf(reading, column, values)
    if (statistics !== null) entries.push({ field, values, statistics })
  }
  return packWhole(entries)
}

/** The most columns of a file whose elements are read for their bounds, whichever a query compares. */
export const MOST_PLACES = 64

/** Where the elements of the columns of numbers and times are that are stored one after the other, of the first `MOST_PLACES` of them. */
export function wholePlaces(
  columns: ReadonlyMap<string, ArraysColumn>,
  reading: Reading,
): readonly WholePlace[] {
  const places: WholePlace[] = []
  for (const [field, column] of [...columns.values()].entries()) {
    if (column.kind !== 'array' || !isNumber(column) || computedStatistics(column) !== null) continue
    const { type, dimensions } = column
    const names = dimensions.map(({ name }) => name)
    const extent = dimensions.map(({ size }) => size)
    const rows = productOf(extent)
    const place = rows === 0 ? null : placeOf(reading, column, { names, origin: extent.map(() => 0), extent })
    if (place !== null) places.push({ ...place, field, type, rows })
    if (places.length === MOST_PLACES) break
  }
  return places
}

/**
 * Where the elements are whose bounds are all that differs among files of equal metadata, and what is known without reading. Null: bounds of
 * another column would be read as well.
 */
export function wholeOfAlike(
  columns: ReadonlyMap<string, ArraysColumn>,
  reading: Reading,
): { readonly places: readonly WholePlace[]; readonly computed: WholeColumns } | null {
  const places = wholePlaces(columns, reading)
  const placed = new Set(places.map(({ field }) => field))
  const computed: WholeColumn[] = []
  for (const [field, column] of [...columns.values()].entries()) {
    if (column.kind !== 'array' || placed.has(field)) continue
    const whole = computedStatistics(column)
    if (whole !== null) computed.push({ field, ...whole })
    else if (numbersOf(column) > 0) return null
  }
  return { places, computed: packWhole(computed) }
}

/** What is known of an array without reading it. Null: nothing. */
function computedStatistics({ array }: ArrayColumn): Omit<WholeColumn, 'field'> | null {
  const { range, dimensions } = array
  const values = dimensions.reduce((all, { size }) => all * size, 1)
  if (range === undefined || values === 0) return null
  const [min, max] = [range.min, range.max].map((value) => ({ kind: 'float', value }) as const)
  return {
    values,
    statistics: { ...(min && { min }), ...(max && { max }), isMinExact: true, isMaxExact: true, nulls: 0 },
  }
}

/** How many numbers an array of rank 0 or 1 has. 0: it has others, more dimensions, rows that are gathered, or filters of the annex. */
function numbersOf(column: ArrayColumn): number {
  const { array, dimensions, lookup } = column
  const isPlain = lookup === undefined && array.annexFilters === undefined
  return isNumber(column) && isPlain && dimensions.length <= 1 ? (dimensions[0]?.size ?? 1) : 0
}

/** Whether a column has numbers or times. */
export function isNumber({ type: { kind } }: ArrayColumn): boolean {
  return kind === 'int' || kind === 'float' || kind === 'timestamp'
}

/** Null: the values cannot be read, which a query that reads them says. */
function statisticsOf(reading: Reading, column: ArrayColumn, values: number): ColumnStatistics | null {
  try {
    return statisticsOfElements(readElements(reading, column, 0, values), 0, values, column.type)
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
}
