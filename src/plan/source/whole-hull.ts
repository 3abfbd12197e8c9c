import { getOrMake } from '../get-or-make.ts'
import { createWholeEntries, packWhole, type WholeColumn, type WholeColumns } from './whole.ts'

/** What is known of a column in several files. */
interface Hull {
  /** In how many of them something is known. */
  files: number
  values: number
  /** NaN: not known. */
  nulls: number
  /** Whether there are bounds of all files but those in which all values are null. */
  isBounded: boolean
  isFloat: boolean
  isMinExact: boolean
  isMaxExact: boolean
  min: number | bigint | null
  max: number | bigint | null
}

const MOST_UNSIGNED = (1n << 64n) - 1n
const MOST_SIGNED = (1n << 63n) - 1n

/**
 * What is known of all values of the columns of several files with one schema, together: what a filter may or must pass by it, it may or
 * must pass by that of each file. Columns of which nothing is known in a file are left out, and so are bounds of texts.
 */
export function hullOf(files: readonly WholeColumns[]): WholeColumns {
  const hulls = new Map<number, Hull>()
  for (const file of files) {
    const entries = createWholeEntries(file)
    while (entries.next()) {
      add(getOrMake(hulls, entries.field, emptyHull), entries)
    }
  }
  const columns = [...hulls].filter(([, hull]) => hull.files === files.length)
  return packWhole(columns.toSorted(([a], [b]) => a - b).map(([field, hull]) => columnOf(field, hull)))
}

type Entry = Pick<
  ReturnType<typeof createWholeEntries>,
  'values' | 'nulls' | 'isBounded' | 'isFloat' | 'isMinExact' | 'isMaxExact' | 'min' | 'max'
>

function add(hull: Hull, entry: Entry): void {
  hull.files++
  hull.values += entry.values
  hull.nulls += entry.nulls
  if (!entry.isBounded) {
    const isAllNull = entry.nulls !== 0 && entry.nulls === entry.values
    hull.isBounded &&= isAllNull
    return
  }
  const { isFloat, min, max } = entry
  if (hull.min === null || hull.max === null) {
    hull.isFloat = isFloat
    hull.min = min
    hull.max = max
  } else if (hull.isFloat !== isFloat) hull.isBounded = false
  else {
    // Which of 0 and -0 the answer is depends on the order of the files.
    if (min === hull.min && !Object.is(min, hull.min)) hull.isMinExact = false
    if (max === hull.max && !Object.is(max, hull.max)) hull.isMaxExact = false
    if (min < hull.min) hull.min = min
    if (max > hull.max) hull.max = max
  }
  hull.isMinExact &&= entry.isMinExact
  hull.isMaxExact &&= entry.isMaxExact
}

function emptyHull(): Hull {
  const bounds = { isBounded: true, isFloat: false, isMinExact: true, isMaxExact: true, min: null, max: null }
  return { files: 0, values: 0, nulls: 0, ...bounds }
}

function columnOf(field: number, hull: Hull): WholeColumn {
  const { values, nulls, isBounded, isMinExact, isMaxExact, min, max } = hull
  const ofNulls = Number.isNaN(nulls) ? {} : { nulls }
  if (!isBounded || min === null || max === null) return { field, values, statistics: ofNulls }
  const exact = { ...(isMinExact && { isMinExact }), ...(isMaxExact && { isMaxExact }) }
  if (typeof min === 'number' && typeof max === 'number') {
    const bounds = { min: { kind: 'float', value: min }, max: { kind: 'float', value: max } } as const
    return { field, values, statistics: { ...ofNulls, ...bounds, ...exact } }
  }
  const [low, high] = [BigInt(min), BigInt(max)]
  if (high > MOST_UNSIGNED || (high > MOST_SIGNED && low < 0n)) return { field, values, statistics: ofNulls }
  const bounds = { min: { kind: 'int', value: low }, max: { kind: 'int', value: high } } as const
  return { field, values, statistics: { ...ofNulls, ...bounds, ...exact } }
}
