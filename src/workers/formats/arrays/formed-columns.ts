import { isServiceError } from '../../../plan/errors.ts'
import { memoize } from '../../../plan/memoize.ts'
import { productOf } from '../../../plan/product-of.ts'
import type { SourceColumn } from '../../../plan/scan.ts'
import type { ArrayLayout, LaidOutArrays } from '../../../plan/source/array-layout.ts'
import type { BoxRange } from '../../../plan/source/range.ts'
import type { DataType, Schema } from '../../../plan/types/schema.ts'
import {
  columnsInFile,
  type DerivedColumns,
  deriveColumns,
  layoutOfDerived,
  storedColumns,
} from './arranged.ts'
import type { ArrayForm, FormedFile } from './array-file.ts'
import { chunkInLayout } from './array-layout.ts'
import { type ArrayOptions, optionsFor } from './array-options.ts'
import { type ArrayColumn, type ArraysColumn, schemaOf } from './columns.ts'
import type { ElementPlace, WholePlace } from './element-place.ts'
import type { FormedArray, FormNumbers } from './formed-file.ts'
import { bytesOfConstant, bytesOfLetters } from './grid-columns.ts'
import { arraysWithin, chosenDimensions, dimensionLists } from './kept-arrays.ts'
import {
  type ElementDecoding,
  elementDecoding,
  isPlaceable,
  isRepeatedText,
  isWidenedTogether,
  placeKey,
  repeatOf,
} from './places.ts'
import { samplingOf } from './ragged/sampling.ts'
import { isNumber, MOST_PLACES } from './whole-columns.ts'

/** What follows from the metadata of a file whose form is remembered. It has columns and rows as `arrangeColumns` gives them for the file by itself. */
export interface FormedColumns {
  readonly schema: Schema
  /** What the grid of any columns follows from. Null: the rows cannot be counted. */
  arraysOf(numbers: FormNumbers): LaidOutArrays | null
  /**
   * Where all elements of the columns of numbers and times are that are stored one after the other. Null: the bounds of another column would be read
   * as well.
   */
  wholePlaces(numbers: FormNumbers): readonly WholePlace[] | null
  /** Finds where columns lie in files of the form. Null: one of them is not read by its place. */
  placesOf(columns: readonly SourceColumn[]): PlacesInFile | null
}

/** Where columns lie. Null of a column: the file does not have it. */
export interface PlacesInFile {
  /** The types of the columns in the file. */
  readonly types: readonly (DataType | null)[]
  /** Equal if all columns have equal types and are decoded alike. */
  readonly key: string
  /** The places over all rows of a range. Null: one of the columns has to be read otherwise. */
  of(numbers: FormNumbers, range: BoxRange): readonly (ElementPlace | null)[] | null
}

/** What follows from a form and the options, by the sizes of dimensions. Null as below. */
type ColumnsBySizes = (numbers: FormNumbers) => FormedColumns | null

const byOptions = memoize((_form: ArrayForm) => new Map<string, ColumnsBySizes>())

/** The columns of a file. `key`: the options as JSON. Null: more follows from its metadata or values, and it has to be opened. */
export function formedColumns(
  { form, numbers }: FormedFile,
  options: ArrayOptions,
  key: string,
): FormedColumns | null {
  const ofForm = byOptions(form)
  const columnsBySizes = ofForm.get(key) ?? columnsUnlessUnreadable(form, options)
  ofForm.set(key, columnsBySizes)
  return columnsBySizes(numbers)
}

const NO_COLUMNS: ColumnsBySizes = () => null

/** Of attributes that contradict each other there are none: opening a file says what is wrong with it. */
function columnsUnlessUnreadable(form: ArrayForm, options: ArrayOptions): ColumnsBySizes {
  try {
    return createColumnsBySizes(form, options)
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') return NO_COLUMNS
    throw error
  }
}

function createColumnsBySizes(form: ArrayForm, options: ArrayOptions): ColumnsBySizes {
  const { file } = form
  const { dimensions: asked, isNanValue = false, areAttributesLeftOut = false } = optionsFor(file, options)
  const hasOthers = options.dimensionsOrStatistics !== undefined || options.statistics !== undefined
  if (hasOthers || (file.omitted ?? []).length > 0) return NO_COLUMNS
  const stored = storedColumns(file, !isNanValue)
  const { counts, indexes } = samplingOf(file, stored)
  if (counts.length > 0 || indexes.length > 0) return NO_COLUMNS
  // Files that are opened have the same schema then, as one object.
  const ofFile = columnsInFile(file, optionsFor(file, options))
  if (asked !== null) {
    const columns = ofFile && createFormedColumns(form, ofFile)
    return () => columns
  }
  const columnsOf = (retained: readonly ArrayColumn[]): FormedColumns | null => {
    const isOfFile = retained.length === stored.length - (ofFile?.dropped.size ?? -1)
    const isSame = isOfFile && retained.every(({ name }) => ofFile?.columns.get(name)?.kind === 'array')
    const derived = isSame ? ofFile : deriveColumns(file, stored, retained, NONE_HIDDEN, areAttributesLeftOut)
    return derived && createFormedColumns(form, derived)
  }
  const lists = dimensionLists(stored)
  const formedArrays = new Map(stored.map((column, index) => [column, form.arrays[index]]))
  const byDimensions = new Map<readonly string[], FormedColumns | null>()
  return (numbers) => {
    const dimensions = chosenDimensions(lists, ({ first }) => {
      const along = formedArrays.get(first)?.dimensions ?? []
      return elementsAlong(along, first.dimensions.length, numbers)
    })
    const earlier = byDimensions.get(dimensions)
    if (earlier !== undefined) return earlier
    const columns = columnsOf(arraysWithin(stored, dimensions))
    byDimensions.set(dimensions, columns)
    return columns
  }
}

const NONE_HIDDEN: ReadonlySet<string> = new Set()

/** The number of elements along the first `rank` of these dimensions. */
function elementsAlong(dimensions: readonly number[], rank: number, { sizes }: FormNumbers): number {
  let elements = 1
  for (let axis = 0; axis < rank; axis++) elements *= sizes[dimensions[axis] ?? -1] ?? 0
  return elements
}

/** A column that is read by its place. */
interface PlacedColumn {
  readonly field: number
  readonly column: ArrayColumn
  readonly array: FormedArray
  readonly decoding: ElementDecoding
  /** As `ElementPlace.key` of the file by itself. */
  readonly key: string
  /** Indices of its dimensions among those of the grid. */
  readonly axes: readonly number[]
  /** The letters of each of its texts, of which another file may have more or fewer. Null: its elements are no texts. */
  readonly letters: number | null
}

/** The most layouts of one form that differ in the estimated bytes of values alone. */
const MOST_LAYOUTS = 64

/** Null: the grid of any columns does not follow from a layout. */
function createFormedColumns(form: ArrayForm, derived: DerivedColumns): FormedColumns | null {
  const { columns, dimensions } = derived
  const laidOut = layoutOfDerived(derived)
  if (laidOut === null) return null
  const { layout } = laidOut
  const arrays = new Map(form.file.arrays.map((array, index) => [array, form.arrays[index]]))
  const fields = [...columns.values()]
  const formedOf = (column: ArrayColumn): FormedArray => {
    const array = arrays.get(column.array)
    if (array === undefined) throw new TypeError(`"${column.name}" is no array of its form`)
    return array
  }
  const placed = fields.flatMap((column, field): readonly PlacedColumn[] => {
    if (!isPlaceable(column)) return []
    const axes = column.dimensions.map(({ name }) => dimensions.indexOf(name))
    const decoding = elementDecoding(column)
    const array = formedOf(column)
    const key = placeKey(decoding, array.isBigEndian)
    const letters = column.array.dimensions[column.dimensions.length]?.size ?? null
    return [{ field, column, array, decoding, key, axes, letters }]
  })
  /** The dimension of the file for each of the layout. */
  const ofLayout: number[] = dimensions.map(() => -1)
  for (const { field, dimensions: axes } of layout.arrays) {
    const column = fields[field]
    if (column?.kind !== 'array') continue
    const along = formedOf(column).dimensions
    for (const [at, axis] of axes.entries()) ofLayout[axis] = along[at] ?? -1
  }
  const estimates = estimatesOf(form, fields, formedOf)
  const chunked = layout.arrays.flatMap((array, at) => {
    const column = fields[array.field]
    return array.chunk === null || column?.kind !== 'array' ? [] : [{ at, chunk: column.array.chunk ?? [] }]
  })
  const layouts = new Map<string, ArrayLayout>()

  /** The chunks of arrays that are stored in chunks, as layouts have them. */
  function chunksOf(sizes: readonly number[]): readonly (readonly number[])[] {
    return chunked.map(({ at, chunk }) => chunkInLayout(chunk, layout.arrays[at]?.dimensions ?? [], sizes))
  }

  function layoutOf(numbers: FormNumbers, sizes: readonly number[]): ArrayLayout {
    const bytes = estimates.map(({ bytesIn }) => bytesIn(numbers))
    const chunks = chunksOf(sizes)
    const key = chunks.length === 0 ? bytes.join() : `${bytes.join()} ${chunks.join(' ')}`
    const earlier = layouts.get(key)
    if (earlier !== undefined) return earlier
    const all = [...layout.bytes]
    for (const [at, { field }] of estimates.entries()) all[field] = bytes[at] ?? 0
    const arrays = [...layout.arrays]
    for (const [index, { at }] of chunked.entries()) {
      const array = arrays[at]
      if (array !== undefined) arrays[at] = { ...array, chunk: chunks[index] ?? null }
    }
    const laidOut = { ...layout, arrays, bytes: all }
    if (layouts.size >= MOST_LAYOUTS) layouts.clear()
    layouts.set(key, laidOut)
    return laidOut
  }

  return {
    schema: schemaOf(columns),
    arraysOf(numbers) {
      const sizes = ofLayout.map((index) => numbers.sizes[index] ?? 0)
      return Number.isSafeInteger(productOf(sizes)) ? { layout: layoutOf(numbers, sizes), sizes } : null
    },
    wholePlaces: (numbers) => wholePlacesOf(placed, numbers),
    placesOf: (asked) => placesInFile(columns, placed, asked),
  }
}

/** A column whose values take more or fewer bytes from file to file. */
interface Estimate {
  readonly field: number
  readonly bytesIn: (numbers: FormNumbers) => number
}

function estimatesOf(
  { file, texts }: ArrayForm,
  fields: readonly ArraysColumn[],
  formedOf: (column: ArrayColumn) => FormedArray,
): readonly Estimate[] {
  const textOfAttribute = new Map(texts.map((index, at) => [file.attributes[index]?.name, at]))
  return fields.flatMap((column, field): readonly Estimate[] => {
    const { name, type } = column
    if (column.kind === 'attribute') {
      const at = textOfAttribute.get(name)
      return at === undefined
        ? []
        : [{ field, bytesIn: ({ texts }) => bytesOfConstant(type, texts[at] ?? 0) }]
    }
    const letters = column.dimensions.length
    const along = formedOf(column).dimensions[letters]
    if (column.array.element.kind !== 'char' || along === undefined) return []
    return [{ field, bytesIn: ({ sizes }) => bytesOfLetters(sizes[along] ?? 0) }]
  })
}

/** Whether the elements of an array follow each other, and have as many letters as in the file of the form. */
function isInOneRun(placed: PlacedColumn, elements: number, numbers: FormNumbers): boolean {
  const { array, decoding, axes, letters } = placed
  if ((numbers.begins[array.variable] ?? -1) < 0) return false
  if (letters !== null && numbers.sizes[array.dimensions[axes.length] ?? -1] !== letters) return false
  if (!array.isInRecords) return true
  const records = elementsAlong(array.dimensions, 1, numbers)
  return records <= 1 || numbers.recordBytes * records === elements * decoding.width
}

/** The number of elements of a column, which are numbers or texts. */
function elementsIn({ array, axes }: PlacedColumn, numbers: FormNumbers): number {
  return elementsAlong(array.dimensions, axes.length, numbers)
}

function wholePlacesOf(placed: readonly PlacedColumn[], numbers: FormNumbers): readonly WholePlace[] | null {
  const places: WholePlace[] = []
  for (const each of placed) {
    const { field, axes, column } = each
    const rows = isNumber(column) ? elementsIn(each, numbers) : 0
    if (rows === 0) continue
    if (places.length < MOST_PLACES && isInOneRun(each, rows, numbers))
      places.push({ ...placeIn(each, rows, 1, numbers), field, type: column.type, rows })
    else if (axes.length <= 1) return null
  }
  return places
}

/** The place of a column whose elements follow each other. */
function placeIn(
  placed: PlacedColumn,
  elements: number,
  repeat: number,
  { begins }: FormNumbers,
): ElementPlace {
  const { key, decoding, array } = placed
  const { spec, width } = decoding
  const from = begins[array.variable] ?? 0
  return { spec, isBigEndian: array.isBigEndian, key, from, width, elements, repeat }
}

function placesInFile(
  columnsByName: ReadonlyMap<string, ArraysColumn>,
  placed: readonly PlacedColumn[],
  asked: readonly SourceColumn[],
): PlacesInFile | null {
  const columns: (PlacedColumn | null)[] = []
  for (const { name, type } of asked) {
    const inFile = columnsByName.get(name)
    const column = placed.find((each) => each.column === inFile) ?? null
    if (inFile !== undefined && (column === null || !isWidenedTogether(inFile.type, type))) return null
    columns.push(column)
  }
  return {
    types: columns.map((each) => each?.column.type ?? null),
    key: columns.map((each) => each?.key).join(' '),
    of(numbers, range) {
      const rows = productOf(range.extent)
      const places: (ElementPlace | null)[] = []
      for (const column of columns) {
        if (column === null) {
          places.push(null)
          continue
        }
        const elements = elementsIn(column, numbers)
        const sizes = column.axes.map((_, at) => numbers.sizes[column.array.dimensions[at] ?? -1] ?? 0)
        const repeat = elements === 0 ? null : repeatOf(column.axes, sizes, range.dimensions, range.extent)
        if (repeat === null || isRepeatedText(column.decoding, elements, rows)) return null
        if (!isInOneRun(column, elements, numbers)) return null
        places.push(placeIn(column, elements, repeat, numbers))
      }
      return places
    },
  }
}
