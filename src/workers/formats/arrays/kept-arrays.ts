import { ServiceError } from '../../../plan/errors.ts'
import { didYouMean, listNames } from '../../../plan/nearest-name.ts'
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
  const chosen = new Set(chosenDimensions(arrays))
  return arrays.filter((array) => isWithin(namesOf(array), chosen))
}

/** Arrays that have the same dimensions in the same order. */
interface SameDimensions {
  readonly names: readonly string[]
  readonly elements: number
  arrays: number
  /** How many of them have a `standard_name`. */
  named: number
}

/** The most lists of dimensions that are tried. Trying one takes as many steps as there are lists. */
const MOST_TRIED = 1024

/** The dimensions of the grid: those of the array that has all, or of the one that keeps most. */
function chosenDimensions(arrays: readonly ArrayColumn[]): readonly string[] {
  const widest = arrays.reduce<ArrayColumn | null>(
    (most, array) => (most === null || array.dimensions.length >= most.dimensions.length ? array : most),
    null,
  )
  const ofWidest = widest === null ? [] : namesOf(widest)
  if (arrays.every((array) => isWithin(namesOf(array), new Set(ofWidest)))) return ofWidest
  const isInvented = arrays.every((array) => array.dimensions.every((each) => each.isInvented))
  const lists = listsOf(arrays)
  let best: { readonly names: readonly string[]; readonly key: Key } | null = null
  for (const list of lists.slice(0, MOST_TRIED)) {
    const key = keyOf(list, lists, isInvented)
    if (best === null || isGreater(key, best.key)) best = { names: list.names, key }
  }
  return best?.names ?? []
}

/** The distinct lists of dimensions in the order in which they first occur. */
function listsOf(arrays: readonly ArrayColumn[]): readonly SameDimensions[] {
  const lists = new Map<string, SameDimensions>()
  for (const column of arrays) {
    if (column.dimensions.length === 0) continue
    const names = namesOf(column)
    const key = JSON.stringify(names)
    const elements = column.dimensions.reduce((all, { size }) => all * size, 1)
    const list = lists.get(key) ?? { names, elements, arrays: 0, named: 0 }
    lists.set(key, list)
    list.arrays++
    if (textOf(column.array.attributes, 'standard_name') !== null) list.named++
  }
  return [...lists.values()]
}

/** What a list of dimensions is judged by. The first number counts most. */
type Key = readonly number[]

function keyOf(list: SameDimensions, lists: readonly SameDimensions[], isInvented: boolean): Key {
  const names = new Set(list.names)
  const listsWithin = lists.filter((each) => isWithin(each.names, names))
  const named = listsWithin.reduce((sum, each) => sum + each.named, 0)
  const score = listsWithin.reduce((sum, each) => sum + each.arrays, 0)
  const hasRows = list.elements > 0 ? 1 : 0
  return isInvented
    ? [named, hasRows, list.elements, score, list.arrays]
    : [named, hasRows, score, list.arrays, list.elements]
}

function isGreater(key: Key, than: Key): boolean {
  const at = key.findIndex((each, index) => each !== than[index])
  return at >= 0 && (key[at] ?? 0) > (than[at] ?? 0)
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
