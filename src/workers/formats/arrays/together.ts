import { isServiceError } from '../../../plan/errors.ts'
import { memoize } from '../../../plan/memoize.ts'
import type { SourceColumn } from '../../../plan/scan.ts'
import type { BoxRange } from '../../../plan/source/range.ts'
import { type DataType, sameType } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { collect } from '../collect.ts'
import type { FilesTogether, HeldFile, ReadContext } from '../provider.ts'
import { arrangeColumns } from './arranged.ts'
import type { ArrayFile, ArrayReader, FormedFile } from './array-file.ts'
import { type ArrayOptions, optionsFor } from './array-options.ts'
import { boxOf } from './box/grid-box.ts'
import type { ElementPlace } from './element-place.ts'
import { createElementRuns } from './element-runs.ts'
import { type FormedColumns, formedColumns, type PlacesInFile } from './formed-columns.ts'
import { formedFiles } from './kept-forms.ts'
import { isWidenedTogether, placeOf } from './places.ts'

/** Where a file has the elements of columns over all rows of a range. */
interface Places {
  /** In the order of the columns. Null: one of them is not read by its place. Null of a column: the file does not have it. */
  readonly columns: readonly (ElementPlace | null)[] | null
  /** The types of the columns in the file. Null as above. */
  readonly types: readonly (DataType | null)[]
  /** Equal if all columns have equal types and are decoded alike. */
  readonly key: string
}

interface PlacesOfRange extends Places {
  readonly dimensions: readonly number[]
  readonly extent: readonly number[]
}

/** The places of columns, by what was asked for: queries of the same columns follow each other. */
const placesByColumns = memoize((_file: ArrayFile) => new Map<string, PlacesOfRange>())

/** The same for files of a form. Null: one of the columns is not read by its place. */
const placesByForm = memoize((_columns: FormedColumns) => new Map<string, PlacesInFile | null>())

/** The most lists of columns for which the places of a file or a form are kept. */
const MOST_ASKED = 8

/**
 * Reads columns of small files of arrays together: their elements are put one behind the other, and decoded as one array. Where these are is
 * worked out once for all files of equal metadata, and follows from few numbers for those of a form. Files may have other sizes, and other places of
 * their arrays.
 */
export function createArraysTogether(
  columns: readonly SourceColumn[],
  reader: ArrayReader,
  options: ArrayOptions,
  context: ReadContext,
): FilesTogether {
  const asked = JSON.stringify([columns, options])
  const optionsKey = JSON.stringify(options)
  const formedOf = formedFiles(reader)
  const runs = columns.map(() => createElementRuns())
  /** Those of the last file. Null: none was appended. */
  let pending: Places | null = null
  let allRows = 0

  /** Undefined: what the file says is not remembered. */
  function placesOf(held: HeldFile, range: BoxRange): Places | undefined {
    const { memory, at, size } = held
    const file = reader.openedBefore?.(memory, at, size)
    if (file !== undefined) return placesIn(file, range, held)
    const formed = formedOf(held, context)
    return formed && placesInFormed(formed, range)
  }

  /** Opens a file, so that what it says is remembered. False: it cannot be opened, which reading it by itself says. */
  function remember({ store }: HeldFile): boolean {
    try {
      reader.open(store, context)
      return true
    } catch (error) {
      if (isServiceError(error) && error.code !== 'cancelled') return false
      throw error
    }
  }

  function placesInFormed(formed: FormedFile, range: BoxRange): Places {
    const formColumns = formedColumns(formed, options, optionsKey)
    if (formColumns === null) return NO_PLACES
    const byColumns = placesByForm(formColumns)
    let places = byColumns.get(asked)
    if (places === undefined) {
      if (byColumns.size >= MOST_ASKED) byColumns.clear()
      places = formColumns.placesOf(columns)
      byColumns.set(asked, places)
    }
    if (places === null) return NO_PLACES
    const { types, key } = places
    return { columns: places.of(formed.numbers, range), types, key }
  }

  function placesIn(file: ArrayFile, range: BoxRange, held: HeldFile): Places {
    const byColumns = placesByColumns(file)
    const earlier = byColumns.get(asked)
    if (earlier !== undefined && areOf(earlier, range)) return earlier
    const places = findPlaces(file, range, held)
    if (byColumns.size >= MOST_ASKED) byColumns.clear()
    byColumns.set(asked, places)
    return places
  }

  function findPlaces(file: ArrayFile, range: BoxRange, { store }: HeldFile): PlacesOfRange {
    const { columns: columnsByName, dimensions } = arrangeColumns(file, optionsFor(file, options))
    const box = boxOf(range, dimensions)
    const { dimensions: axes, extent } = range
    const columnPlaces: (ElementPlace | null)[] = []
    for (const { name, type } of columns) {
      const column = columnsByName.get(name)
      const isReadable = column === undefined || isWidenedTogether(column.type, type)
      const place = column && isReadable ? placeOf({ file, store, context }, column, box) : null
      if (column !== undefined && place === null) return { ...NO_PLACES, dimensions: axes, extent }
      columnPlaces.push(place)
    }
    return {
      dimensions: axes,
      extent,
      columns: columnPlaces,
      types: columns.map(({ name }) => columnsByName.get(name)?.type ?? null),
      key: columnPlaces.map((place) => place?.key).join(' '),
    }
  }

  return {
    add(held) {
      const { range, memory, at } = held
      if (range.kind !== 'box' || !isFromFirst(range)) return false
      let places = placesOf(held, range)
      if (places === undefined && remember(held)) places = placesOf(held, range)
      if (places === undefined || places.columns === null) return false
      if (pending !== null && places.key !== pending.key) return false
      pending = places
      const { rows } = held
      allRows += rows
      for (let index = 0; index < runs.length; index++) {
        const place = places.columns[index]
        if (place) runs[index]?.add(place, memory, at, rows)
      }
      return true
    },
    take() {
      const { types } = pending ?? NO_PLACES
      const rows = allRows
      pending = null
      allRows = 0
      return collect(context.core, (all: Column[]) => {
        for (const [index, each] of runs.entries()) {
          const { type } = columns[index] ?? {}
          if (type === undefined) throw new RangeError(`no column ${index}`)
          const stored = types[index] ?? null
          all.push(
            stored === null
              ? context.core.constant(type, null, rows)
              : widen(each.take(context.core), stored, type, context.core),
          )
        }
      })
    },
    [Symbol.dispose]() {},
  }
}

const NO_PLACES: Places = Object.freeze({ columns: null, types: [], key: '' })

/** A column in another type, in place of itself. */
function widen(column: Column, from: DataType, to: DataType, core: Core): Column {
  if (sameType(from, to)) return column
  try {
    return core.cast(column, from, to)
  } finally {
    core.free(column)
  }
}

function isFromFirst({ origin }: BoxRange): boolean {
  for (const from of origin) if (from > 0) return false
  return true
}

function areOf({ dimensions, extent }: PlacesOfRange, range: BoxRange): boolean {
  return areSame(dimensions, range.dimensions) && areSame(extent, range.extent)
}

function areSame(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}
