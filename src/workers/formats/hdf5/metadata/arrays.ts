import { ServiceError } from '../../../../plan/errors.ts'
import type { Attribute, ElementType } from '../../arrays/array-file.ts'
import type { TextStorage } from '../data/texts.ts'
import type { Hdf5Array } from '../hdf5-metadata.ts'
import { STRING_PADDING, TYPE_CLASS, type TypeMetadata } from '../library/module.ts'
import type { Dimensions } from './dimensions.ts'
import { variableName } from './dimensions.ts'
import type { FoundDataset } from './objects.ts'

/** Attributes by which NetCDF-4 and dimension scales are stored. They are not attributes of the variable. */
const HIDDEN = new Set([
  'CLASS',
  'DIMENSION_LIST',
  'DIMENSION_LABELS',
  'NAME',
  'REFERENCE_LIST',
  '_NCProperties',
  '_Netcdf4Coordinates',
  '_Netcdf4Dimid',
  '_nc3_strict',
])

/** An element of variable length in a file: a length, an address and an index. */
const HEAP_ELEMENT_BYTES = 16

/** The attributes of an object that are shown, in their order. */
export function attributesOf({ attributes }: Pick<FoundDataset, 'attributes'>): readonly Attribute[] {
  return [...attributes].flatMap(([name, value]) =>
    HIDDEN.has(name) || value.kind === 'references' ? [] : [{ name, value }],
  )
}

/** The name of the array that a dataset is: its path, in which the name may be another one. */
export function arrayName({ group, name }: FoundDataset): string {
  return group === '' ? variableName(name) : `${group}/${variableName(name)}`
}

/** The arrays of a dataset: one, or those of the members of a compound. None: its elements are of a type that is not read. */
export function arraysOf(dataset: FoundDataset, dimensions: Dimensions): readonly Hdf5Array[] {
  const { metadata, filters, address } = dataset
  if (metadata.shape === null || dimensions.isOnlyDimension(dataset)) return []
  checkShape(dataset)
  const cells = metadata.shape.reduce((product, size) => product * size, 1)
  const chunk = metadata.shape.length === 0 ? null : metadata.chunks
  const maximum = metadata.maxshape ?? metadata.shape
  const storage = {
    dimensions: dimensions.of(dataset),
    shape: [...metadata.shape],
    chunk: chunk && [...chunk],
    isAtomic: chunk !== null && filters.length > 0,
    address,
    filters,
    maximumShape: maximum.map((size) => (size <= Number.MAX_SAFE_INTEGER ? size : null)),
    fault: metadata.virtual_sources === undefined ? null : 'it is virtual: its elements are in other files',
  }
  const make = (name: string, type: TypeMetadata, elementBytes: number, offset: number): Hdf5Array[] => {
    const kind = elementOf(type)
    if (kind === null) return []
    const storedBytes = cells * kind.valueBytes
    return [{ name, ...storage, ...kind, attributes: [], elementBytes, offset, storedBytes }]
  }
  const name = arrayName(dataset)
  if (metadata.type !== TYPE_CLASS.compound) {
    const attributes = attributesOf(dataset)
    const bytes = metadata.vlen ? HEAP_ELEMENT_BYTES : metadata.size
    return make(name, metadata, bytes, 0).map((array) => ({ ...array, attributes }))
  }
  const members = metadata.compound_type?.members ?? []
  // The library gives offsets in its memory, where such members have other sizes than in the file.
  if (!members.every(isOfFixedSize)) return []
  return members.flatMap((each) => make(`${name}/${each.name}`, each, metadata.size, each.offset))
}

type Element = Pick<Hdf5Array, 'element' | 'valueBytes' | 'isBigEndian' | 'text'>

/** What elements of a type are. Null: they are not read. */
function elementOf(type: TypeMetadata): Element | null {
  const { size, signed, littleEndian, vlen, strpad } = type
  const number = (element: ElementType): Element => ({
    element,
    valueBytes: size,
    isBigEndian: !littleEndian && size > 1,
    text: null,
  })
  const bits = size * 8
  if (type.type === TYPE_CLASS.int && (bits === 8 || bits === 16 || bits === 32 || bits === 64))
    return number({ kind: 'int', bits, signed })
  if (type.type === TYPE_CLASS.float && (bits === 16 || bits === 32 || bits === 64))
    return number({ kind: 'float', bits })
  if (type.type !== TYPE_CLASS.string) return null
  if (!vlen && size === 1) return { element: { kind: 'char' }, valueBytes: 1, isBigEndian: false, text: null }
  const text = vlen ? 'heap' : paddingOf(strpad)
  return {
    element: { kind: 'text' },
    valueBytes: vlen ? HEAP_ELEMENT_BYTES : size,
    isBigEndian: false,
    text,
  }
}

function paddingOf(padding: number | undefined): TextStorage {
  if (padding === STRING_PADDING.spaces) return 'padded_with_spaces'
  return padding === STRING_PADDING.zeros ? 'padded_with_zeros' : 'ends_at_zero'
}

function isOfFixedSize({ type, vlen }: TypeMetadata): boolean {
  const isNumber = type === TYPE_CLASS.int || type === TYPE_CLASS.float
  return isNumber || (type === TYPE_CLASS.string && !vlen)
}

/** Throws `unreadable_file` for sizes that cannot be. */
function checkShape({ path, metadata }: FoundDataset): void {
  const { shape, chunks, size, maxshape } = metadata
  const bytes = (shape ?? []).reduce((product, each) => product * each, size)
  const areChunks = chunks?.length === shape?.length && chunks?.every((each) => each >= 1)
  if (!(bytes <= Number.MAX_SAFE_INTEGER) || (maxshape ?? shape)?.length !== shape?.length)
    throw new ServiceError('unreadable_file', `"${path}" has a shape of ${shape?.join(' × ')} elements`)
  if (chunks !== null && !areChunks)
    throw new ServiceError('unreadable_file', `"${path}" has chunks of ${chunks.join(' × ')} elements`)
}
