import { memoize } from '../../../plan/memoize.ts'
import { asAttributeColumn } from '../../../plan/types/attribute-column.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { type DataType, field, type Schema } from '../../../plan/types/schema.ts'
import type { NumberName } from '../../../wasm/core/boxes/box-column.ts'
import type { ArrayDimension, ArrayFile, Attribute, StoredArray } from './array-file.ts'
import { CONSTANT_TEXT, constantOf } from './attributes.ts'
import { type Decoding, decodedType, decodingOf, type NumericElement } from './cf/decoding.ts'
import { textFill } from './cf/text.ts'
import { createFieldMetadata } from './field-metadata.ts'
import { byUtf8 } from './utf8-order.ts'

/** An array as a column. */
export interface ArrayColumn {
  readonly kind: 'array'
  readonly name: string
  readonly type: DataType
  readonly array: StoredArray
  /** The dimensions of its values, which have distinct names: those of the array, without that of the characters of a text. */
  readonly dimensions: readonly ArrayDimension[]
  readonly content:
    | { readonly kind: 'numbers'; readonly decoding: Decoding }
    /** Integers that are read as the texts for which they stand. */
    | { readonly kind: 'names'; readonly stored: NumericElement; readonly names: readonly NumberName[] }
    /** Text, bytes and booleans, which mean themselves. `fill` means null. */
    | { readonly kind: 'plain'; readonly fill: Scalar | null }
  /** Absent: its values lie along its dimensions in the file. */
  readonly lookup?: Lookup
}

/** Where a column of a ragged array has its values: it has one dimension, and another one in the file. */
export interface Lookup {
  /** The column as it is stored. */
  readonly stored: ArrayColumn
  /** The index that each row has along a dimension of the file. Null: row `i` has index `i`. */
  readonly counted: Counted | null
  /** From that index to the one of the array: the values of each variable are the indexes of the next one. */
  readonly through: readonly IndexVariable[]
}

/** An index that at least one count variable gives each row. */
export interface Counted {
  readonly counts: readonly CountVariable[]
  /** The sample dimension with the index. Null: it is that of the instance. */
  readonly sample: string | null
}

/** Tells how many observations each instance has. They follow each other along the sample dimension. */
export interface CountVariable {
  readonly column: ArrayColumn
  readonly sample: string
  /** The number of observations for which the sample dimension has room. */
  readonly size: number
}

/** Tells which instance each index along its own dimension belongs to. */
export interface IndexVariable {
  readonly column: ArrayColumn
  /** The instance dimension. */
  readonly instances: string
}

/** An attribute as a column. It has the same value in each row. */
interface AttributeColumn {
  readonly kind: 'attribute'
  readonly name: string
  readonly type: DataType
  readonly value: Scalar
}

export type ArraysColumn = ArrayColumn | AttributeColumn

/** What the elements of an array are, besides their type. */
export interface ArrayMeaning {
  /** The attributes that say what its values mean. */
  readonly attributes: readonly Attribute[]
  /** Whether the characters along its last dimension are one text. */
  readonly isWholeText: boolean
  /** Whether each NaN among its numbers is null. */
  readonly isNanNull: boolean
}

/** An array as a column, whether or not it is kept. */
export function arrayColumn(
  array: StoredArray,
  { attributes, isWholeText, isNanNull }: ArrayMeaning,
): ArrayColumn {
  const { name, element } = array
  const dimensions = distinctDimensions(array.dimensions)
  if (element.kind === 'text' || element.kind === 'char') {
    const columnDimensions = element.kind === 'char' && isWholeText ? dimensions.slice(0, -1) : dimensions
    const type: DataType = columnDimensions.length === 0 ? CONSTANT_TEXT : { kind: 'utf8' }
    const fill = textFill(attributes, element.kind === 'char')
    return plainColumn(array, type, columnDimensions, fill && { kind: 'bytes', value: fill })
  }
  if (element.kind === 'bytes') return plainColumn(array, { kind: 'binary' }, dimensions, null)
  if (element.kind === 'bool') return plainColumn(array, element, dimensions, booleanFill(attributes))
  if (array.enumeration !== undefined) {
    const type: DataType = dimensions.length === 0 ? CONSTANT_TEXT : { kind: 'utf8' }
    const content = { kind: 'names', stored: element, names: array.enumeration } as const
    return { kind: 'array', name, type, array, dimensions, content }
  }
  const decoding = decodingOf(element, attributes, isNanNull)
  return {
    kind: 'array',
    name,
    type: decodedType(decoding),
    array,
    dimensions,
    content: { kind: 'numbers', decoding },
  }
}

function plainColumn(
  array: StoredArray,
  type: DataType,
  dimensions: readonly ArrayDimension[],
  fill: Scalar | null,
): ArrayColumn {
  return { kind: 'array', name: array.name, type, array, dimensions, content: { kind: 'plain', fill } }
}

/** The boolean that means null. */
function booleanFill(attributes: readonly Attribute[]): Scalar | null {
  const value = attributes.find(({ name }) => name === '_FillValue')?.value
  return value?.kind === 'boolean' ? { kind: 'bool', value: value.value } : null
}

/**
 * The columns of a file, by name in the order of UTF-8 bytes: the arrays that are kept, and the attributes of all arrays and
 * groups that have one value, unless attributes are left out. Of equal names the array counts, or else the last attribute. Arrays in `hidden` and their attributes
 * are left out.
 */
export function columnsOf(
  file: ArrayFile,
  arrayColumns: readonly ArrayColumn[],
  hidden: ReadonlySet<string> = new Set(),
  areAttributesLeftOut = false,
): ReadonlyMap<string, ArraysColumn> {
  const ofArrays = file.arrays
    .filter(({ name }) => !hidden.has(name))
    .flatMap(({ name, attributes }) => attributes.map((each) => ({ ...each, name: `${name}.${each.name}` })))
  const attributes = areAttributesLeftOut ? [] : [...file.attributes, ...ofArrays].flatMap(attributeColumn)
  const columns = [...attributes, ...arrayColumns]
  const named = new Map(columns.map((column): [string, ArraysColumn] => [column.name, column]))
  return inOrderOfNames(named)
}

/**
 * The names of the columns of the last file, as they came and in their order. Files that follow each other mostly have the same ones, and to compare
 * hundreds of names takes a fiftieth of the time to sort them.
 */
let lastNames: { readonly given: readonly string[]; readonly sorted: readonly string[] } = {
  given: [],
  sorted: [],
}

function inOrderOfNames<T>(named: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  if (!haveNames(named, lastNames.given)) {
    const given = [...named.keys()]
    lastNames = { given, sorted: given.toSorted(byUtf8) }
  }
  const sorted = new Map<string, T>()
  for (const name of lastNames.sorted) {
    const value = named.get(name)
    if (value !== undefined) sorted.set(name, value)
  }
  return sorted
}

function haveNames(named: ReadonlyMap<string, unknown>, names: readonly string[]): boolean {
  if (named.size !== names.length) return false
  let index = 0
  for (const name of named.keys()) if (name !== names[index++]) return false
  return true
}

/** The schema of columns, which files may share. */
export const schemaOf = memoize((columns: ReadonlyMap<string, ArraysColumn>): Schema => {
  const metadataOf = createFieldMetadata()
  const fields = [...columns.values()].map((column) => {
    const plain = field(column.name, column.type)
    if (column.kind === 'attribute') return asAttributeColumn(plain)
    const { array, content } = column
    const decoding = content.kind === 'numbers' ? content.decoding : null
    return Object.freeze({ ...plain, metadata: metadataOf(array, decoding) })
  })
  return Object.freeze({ fields: Object.freeze(fields), metadata: Object.freeze({}) })
})

function attributeColumn(attribute: Attribute): readonly AttributeColumn[] {
  const constant = constantOf(attribute)
  return constant === null ? [] : [{ kind: 'attribute', name: attribute.name, ...constant }]
}

/** A dimension that an array has twice, as `cov(x, x)`, is another one the second time: `x'`. */
function distinctDimensions(dimensions: readonly ArrayDimension[]): readonly ArrayDimension[] {
  const taken = new Set<string>()
  return dimensions.map((dimension) => {
    let { name } = dimension
    while (taken.has(name)) name += "'"
    taken.add(name)
    return name === dimension.name ? dimension : { ...dimension, name }
  })
}
