import { productOf } from '../../../plan/product-of.ts'
import type { ArrayFile, ArrayForm, Attribute, AttributeValue, FormedFile } from '../arrays/array-file.ts'
import type { Hdf5Array, Hdf5Metadata } from './hdf5-metadata.ts'

/** The forms of metadata that were parsed lately. What follows from a form is worked out once for all files that have it. */
export interface KnownForms {
  /**
   * What metadata say as numbers of their form, which is remembered. `file` is what was made of the metadata, of a file of so many bytes. Undefined:
   * they say what no form has.
   */
  of(metadata: Hdf5Metadata, file: ArrayFile, size: number): FormedFile | undefined
}

/** With the kinds of files that one folder has. Metadata are compared with each of them, up to the first difference. */
const MOST_FORMS = 32

interface Remembered {
  readonly metadata: Hdf5Metadata
  readonly form: ArrayForm
}

export function createKnownForms(): KnownForms {
  /** The one that was used last comes first. */
  const forms: Remembered[] = []

  function formOf(metadata: Hdf5Metadata, file: ArrayFile): ArrayForm {
    const index = forms.findIndex((each) => haveSameForm(each.metadata, metadata))
    const [remembered = { metadata, form: arrayForm(metadata, file) }] =
      index < 0 ? [] : forms.splice(index, 1)
    forms.unshift(remembered)
    if (forms.length > MOST_FORMS) forms.pop()
    return remembered.form
  }

  return {
    of(metadata, file, size) {
      const sizes = sizesOf(metadata)
      if (sizes === null) return undefined
      const form = formOf(metadata, file)
      const texts = form.texts.map((index) => bytesOfText(metadata.attributes[index]?.value))
      const begins = metadata.arrays.map((array) => beginOf(array, metadata.base, size))
      return { form, numbers: { sizes, texts, begins, recordBytes: 0 } }
    },
  }
}

/** The index of each dimension among those of a form, by name. Those of the arrays come in the order in which they occur. */
function dimensionIndexes({ arrays, otherDimensions }: Hdf5Metadata): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>()
  for (const { dimensions } of [...arrays, { dimensions: otherDimensions }])
    for (const { name } of dimensions) if (!indexes.has(name)) indexes.set(name, indexes.size)
  return indexes
}

/** The sizes of dimensions in the order of their indexes. Null: arrays have several sizes of one, or together more elements than can be counted. */
function sizesOf(metadata: Hdf5Metadata): readonly number[] | null {
  const sizes = new Map<string, number>()
  for (const { dimensions } of [...metadata.arrays, { dimensions: metadata.otherDimensions }])
    for (const { name, size } of dimensions) {
      if ((sizes.get(name) ?? size) !== size) return null
      sizes.set(name, size)
    }
  const all = [...sizes.values()]
  return Number.isSafeInteger(productOf(all.map((size) => Math.max(1, size)))) ? all : null
}

function arrayForm(metadata: Hdf5Metadata, file: ArrayFile): ArrayForm {
  const indexes = dimensionIndexes(metadata)
  return {
    file,
    arrays: metadata.arrays.map(({ dimensions, isBigEndian }, variable) => ({
      variable,
      dimensions: dimensions.map(({ name }) => indexes.get(name) ?? -1),
      isInRecords: false,
      isBigEndian,
    })),
    texts: metadata.attributes.flatMap(({ value }, index) => (value.kind === 'text' ? index : [])),
  }
}

/** Where the elements of an array begin in the file. -1: they do not follow each other there, or some were never written. */
function beginOf(array: Hdf5Array, base: number, fileBytes: number): number {
  const { elementsAt, shape, dimensions, elementBytes, valueBytes, text, fault } = array
  if (elementsAt === null || fault !== null || text !== null || valueBytes !== elementBytes) return -1
  const isWhole = shape.every((size, axis) => dimensions[axis]?.size === size)
  const begin = base + elementsAt
  return isWhole && begin + productOf(shape) * elementBytes <= fileBytes ? begin : -1
}

function bytesOfText(value: AttributeValue | undefined): number {
  return value?.kind === 'text' ? Buffer.byteLength(value.value) : 0
}

/** Whether metadata say the same but for the sizes of dimensions, the places of elements, and texts of attributes that no array has. */
function haveSameForm(one: Hdf5Metadata, other: Hdf5Metadata): boolean {
  return (
    one.arrays.length === other.arrays.length &&
    one.omitted.length === other.omitted.length &&
    sameDimensions(one.otherDimensions, other.otherDimensions) &&
    one.arrays.every((array, index) => haveSameArrayForm(array, other.arrays[index])) &&
    sameAttributes(one.attributes, other.attributes, true) &&
    one.omitted.every(
      ({ name, what }, index) => name === other.omitted[index]?.name && what === other.omitted[index]?.what,
    )
  )
}

function haveSameArrayForm(one: Hdf5Array, other: Hdf5Array | undefined): boolean {
  return (
    other !== undefined &&
    one.name === other.name &&
    sameElement(one, other) &&
    sameInventedDimensions(one, other) &&
    sameNumbers(one.chunk, other.chunk) &&
    one.isAtomic === other.isAtomic &&
    one.fault === other.fault &&
    sameFilters(one, other) &&
    sameAttributes(one.attributes, other.attributes, false)
  )
}

function sameElement(one: Hdf5Array, other: Hdf5Array): boolean {
  const { element, enumeration } = one
  const [type, otherType] = [JSON.stringify(element), JSON.stringify(other.element)]
  return (
    type === otherType &&
    one.isBigEndian === other.isBigEndian &&
    one.valueBytes === other.valueBytes &&
    one.elementBytes === other.elementBytes &&
    one.offset === other.offset &&
    one.text === other.text &&
    sameEnumeration(enumeration, other.enumeration)
  )
}

function sameEnumeration(one: Hdf5Array['enumeration'], other: Hdf5Array['enumeration']): boolean {
  if (one === undefined || other === undefined) return one === other
  return (
    one.length === other.length &&
    one.every(({ name, value }, index) => name === other[index]?.name && value === other[index]?.value)
  )
}

function sameDimensions(
  one: Hdf5Metadata['otherDimensions'],
  other: Hdf5Metadata['otherDimensions'],
): boolean {
  return one.length === other.length && one.every(({ name }, index) => name === other[index]?.name)
}

function sameInventedDimensions(one: Hdf5Array, other: Hdf5Array): boolean {
  return (
    sameDimensions(one.dimensions, other.dimensions) &&
    one.dimensions.every(({ isInvented }, index) => isInvented === other.dimensions[index]?.isInvented)
  )
}

function sameFilters({ filters: one }: Hdf5Array, { filters: other }: Hdf5Array): boolean {
  return (
    one.length === other.length &&
    one.every(({ id, values }, index) => id === other[index]?.id && sameNumbers(values, other[index].values))
  )
}

function sameNumbers(
  one: readonly (number | bigint)[] | null,
  other: readonly (number | bigint)[] | null,
): boolean {
  if (one === null || other === null) return one === other
  return one.length === other.length && one.every((value, index) => Object.is(value, other[index]))
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index])
}

function sameAttributes(
  one: readonly Attribute[],
  other: readonly Attribute[],
  areTextsOpen: boolean,
): boolean {
  return (
    one.length === other.length &&
    one.every(({ name, value }, index) => {
      const attribute = other[index]
      return name === attribute?.name && sameValue(value, attribute.value, areTextsOpen)
    })
  )
}

function sameValue(one: AttributeValue, other: AttributeValue, areTextsOpen: boolean): boolean {
  switch (one.kind) {
    case 'text':
      return other.kind === 'text' && (areTextsOpen || one.value === other.value)
    case 'boolean':
      return other.kind === 'boolean' && one.value === other.value
    case 'texts':
      return other.kind === 'texts' && sameTexts(one.values, other.values)
    case 'numbers': {
      if (other.kind !== 'numbers' || !sameNumbers(one.values, other.values)) return false
      return JSON.stringify(one.element) === JSON.stringify(other.element)
    }
  }
}
