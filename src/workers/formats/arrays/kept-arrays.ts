import { ServiceError } from '../../../plan/errors.ts'
import { didYouMean, listNames } from '../../../plan/nearest-name.ts'
import { elementsOf } from '../../../plan/source/grid.ts'
import type { ArrayFile } from './array-file.ts'
import { textOf } from './attributes.ts'
import type { ArrayColumn } from './columns.ts'
import { dimensionNames } from './dimension-names.ts'

/**
 * The arrays whose values are rows of one grid. Given dimensions: those that have no others. Otherwise all, if one array has all
 * dimensions; else those whose dimensions are among the dimensions of the array that keeps most. Arrays of rank 0 are always kept.
 */
export function decodeArraysOnce(
  file: ArrayFile,
  arrays: readonly ArrayColumn[],
  dimensions: readonly string[] | null,
): readonly ArrayColumn[] {
  if (dimensions !== null) {
    requireKnown(file, dimensions)
    const asked = new Set(dimensions)
    return arrays.filter((array) => isWithin(namesInFile(array), asked))
  }
  const lists = dimensionLists(arrays)
  return arraysWithin(
    arrays,
    chosenDimensions(lists, ({ first }) => elementsOf({ shape: sizesOf(first) })),
  )
}

/** The arrays that have no other dimensions than these. */
export function arraysWithin(
  arrays: readonly ArrayColumn[],
  dimensions: readonly string[],
): readonly ArrayColumn[] {
  const chosen = new Set(dimensions)
  return arrays.filter((array) => isWithin(namesOf(array), chosen))
}

/** The lists of dimensions among which those of the grid are chosen. It follows from the names of dimensions, and not from their sizes. */
export interface DimensionLists {
  /** The dimensions of the array that has all. Null: none has. */
  readonly all: readonly string[] | null
  /** In the order in which they first occur. */
  readonly lists: readonly DimensionList[]
  readonly isInvented: boolean
}

/** What arrays have that have the same dimensions in the same order. */
export interface DimensionList {
  readonly names: readonly string[]
  /** The first of the arrays. */
  readonly first: ArrayColumn
  readonly arrays: number
  /** How many arrays have no other dimensions, and how many of them have a `standard_name`. */
  readonly arraysWithin: number
  readonly namedWithin: number
}

interface Counted {
  readonly names: readonly string[]
  readonly first: ArrayColumn
  arrays: number
  named: number
}

/** The most lists of dimensions that are tried. Trying one takes as many steps as there are lists. */
const MOST_TRIED = 1024

export function dimensionLists(arrays: readonly ArrayColumn[]): DimensionLists {
  const widest = arrays.reduce<ArrayColumn | null>(
    (most, array) => (most === null || array.dimensions.length >= most.dimensions.length ? array : most),
    null,
  )
  const ofWidest = widest === null ? [] : namesOf(widest)
  if (arrays.every((array) => isWithin(namesOf(array), new Set(ofWidest))))
    return { all: ofWidest, lists: [], isInvented: false }
  const isInvented = arrays.every((array) => array.dimensions.every((each) => each.isInvented))
  const counted = countedLists(arrays)
  const lists = counted.slice(0, MOST_TRIED).map(({ names, first, arrays: count }): DimensionList => {
    const within = counted.filter((each) => isWithin(each.names, new Set(names)))
    return {
      names,
      first,
      arrays: count,
      arraysWithin: within.reduce((sum, each) => sum + each.arrays, 0),
      namedWithin: within.reduce((sum, each) => sum + each.named, 0),
    }
  })
  return { all: null, lists, isInvented }
}

/** The distinct lists of dimensions in the order in which they first occur. */
function countedLists(arrays: readonly ArrayColumn[]): readonly Counted[] {
  const lists = new Map<string, Counted>()
  for (const column of arrays) {
    if (column.dimensions.length === 0) continue
    const names = namesOf(column)
    const key = JSON.stringify(names)
    const list = lists.get(key) ?? { names, first: column, arrays: 0, named: 0 }
    lists.set(key, list)
    list.arrays++
    if (textOf(column.array.attributes, 'standard_name') !== null) list.named++
  }
  return [...lists.values()]
}

/** The dimensions of the grid: those of the array that has all, or of the one that keeps most. `elementsOf`: the elements of an array of a list. */
export function chosenDimensions(
  { all, lists, isInvented }: DimensionLists,
  elementsOf: (list: DimensionList) => number,
): readonly string[] {
  if (all !== null) return all
  let best: { readonly names: readonly string[]; readonly key: Key } | null = null
  for (const list of lists) {
    const key = keyOf(list, elementsOf(list), isInvented)
    if (best === null || isGreater(key, best.key)) best = { names: list.names, key }
  }
  return best?.names ?? NO_DIMENSIONS
}

const NO_DIMENSIONS: readonly string[] = []

/** What a list of dimensions is judged by. The first number counts most. */
type Key = readonly number[]

function keyOf(
  { arrays, arraysWithin: score, namedWithin: named }: DimensionList,
  elements: number,
  isInvented: boolean,
): Key {
  const hasRows = elements > 0 ? 1 : 0
  return isInvented ? [named, hasRows, elements, score, arrays] : [named, hasRows, score, arrays, elements]
}

function isGreater(key: Key, than: Key): boolean {
  const at = key.findIndex((each, index) => each !== than[index])
  return at >= 0 && (key[at] ?? 0) > (than[at] ?? 0)
}

function sizesOf({ dimensions }: ArrayColumn): readonly number[] {
  return dimensions.map(({ size }) => size)
}

function namesOf({ dimensions }: ArrayColumn): readonly string[] {
  return dimensions.map(({ name }) => name)
}

/** The same as the file has them, where an array may have one twice. */
function namesInFile(column: ArrayColumn): readonly string[] {
  const { array, dimensions, lookup } = column
  if (lookup !== undefined) return namesOf(column)
  return array.dimensions.slice(0, dimensions.length).map(({ name }) => name)
}

function isWithin(names: readonly string[], among: ReadonlySet<string>): boolean {
  return names.every((name) => among.has(name))
}

function requireKnown(file: ArrayFile, dimensions: readonly string[]): void {
  const namesInFile = dimensionNames(file)
  const unknown = dimensions.find((name) => !namesInFile.has(name))
  if (unknown === undefined) return
  const names = [...namesInFile]
  const has = names.length === 0 ? 'it has none' : `it has ${listNames(names)}`
  throw new ServiceError(
    'unreadable_file',
    `dimension '${unknown}' not found in dataset${didYouMean(unknown, names)}; ${has}`,
  )
}
