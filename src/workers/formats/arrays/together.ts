import { memoize } from '../../../plan/memoize.ts'
import type { SourceColumn } from '../../../plan/scan.ts'
import type { BoxRange } from '../../../plan/source/range.ts'
import { sameType } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import { collect } from '../collect.ts'
import type { FilesTogether, HeldFile, ReadContext } from '../provider.ts'
import { arrangeColumns } from './arranged.ts'
import type { ArrayFile, ArrayReader } from './array-file.ts'
import { type ArrayOptions, optionsFor } from './array-options.ts'
import { boxOf } from './box/grid-box.ts'
import type { ElementPlace } from './element-place.ts'
import { createElementRuns } from './element-runs.ts'
import { type FormedColumns, formedColumns, type PlacesInFile } from './formed-columns.ts'
import type { FormedFile } from './formed-file.ts'
import { placeOf } from './places.ts'

/** Where a file has the elements of columns over all rows of a range. */
interface Places {
  /** In the order of the columns. Null: one of them is not read by its place. */
  readonly columns: readonly ElementPlace[] | null
  /** Equal if all columns are decoded alike. */
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
  const runs = columns.map(() => createElementRuns())
  let key: string | null = null

  /** Undefined: what the file says is not remembered. */
  function placesOf(held: HeldFile, range: BoxRange): Places | undefined {
    const { memory, at, size } = held
    const file = reader.openedBefore?.(memory, at, size)
    if (file !== undefined) return placesIn(file, range, held)
    const formed = reader.formed?.(memory, at, size)
    return formed && placesInFormed(formed, range)
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
    return places === null ? NO_PLACES : { columns: places.of(formed.numbers, range), key: places.key }
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
    const columnPlaces: ElementPlace[] = []
    for (const { name, type } of columns) {
      const column = columnsByName.get(name)
      const place =
        column !== undefined && sameType(column.type, type)
          ? placeOf({ file, store, context }, column, box)
          : null
      if (place !== null) columnPlaces.push(place)
    }
    const isComplete = columnPlaces.length === columns.length
    return {
      dimensions: range.dimensions,
      extent: range.extent,
      columns: isComplete ? columnPlaces : null,
      key: columnPlaces.map((place) => place.key).join(' '),
    }
  }

  return {
    add(held) {
      const { range, memory, at } = held
      if (range.kind !== 'box' || !isFromFirst(range)) return false
      let places = placesOf(held, range)
      if (places === undefined) {
        held.open()
        places = placesOf(held, range)
      }
      if (places === undefined || places.columns === null) return false
      if (key !== null && places.key !== key) return false
      key = places.key
      const { rows } = held
      for (let index = 0; index < runs.length; index++) {
        const place = places.columns[index]
        if (place !== undefined) runs[index]?.add(place, memory, at, rows)
      }
      return true
    },
    take() {
      key = null
      return collect(context.core, (all: Column[]) => {
        for (const each of runs) all.push(each.take(context.core))
      })
    },
    [Symbol.dispose]() {},
  }
}

const NO_PLACES: Places = Object.freeze({ columns: null, key: '' })

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
