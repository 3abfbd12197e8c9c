import type { ArrayDimension, Attribute } from '../../arrays/array-file.ts'
import { fault } from '../../fault.ts'
import type { ChunkKeys, CodecChain, ZarrArray } from '../stored-zarr.ts'
import { isPlain } from './codec-chain.ts'
import type { ElementForm } from './element-form.ts'
import { show } from './members.ts'

/** What the documents of either version say of an array, except for its attributes and the names of its dimensions. */
export interface ArrayMetadata {
  readonly shape: readonly number[]
  /** The number of elements of an object along each dimension, and those of a chunk in it. */
  readonly objectShape: readonly number[]
  readonly chunk: readonly number[]
  readonly keys: ChunkKeys
  readonly codecs: CodecChain
  readonly form: ElementForm
  readonly fill: Uint8Array | null
}

/** The names and attributes of an array. */
export interface ArrayNames {
  readonly name: string
  readonly folder: string
  readonly dimensions: readonly string[]
  readonly attributes: readonly Attribute[]
  readonly meaning: readonly Attribute[]
}

/** Throws `unreadable_file` for sizes that do not go together, or whose product is no safe integer. */
export function zarrArray(metadata: ArrayMetadata, names: ArrayNames): ZarrArray {
  const { shape, objectShape, chunk, keys, codecs, form, fill } = metadata
  const { name, folder, attributes, meaning } = names
  if (objectShape.length !== shape.length)
    throw fault(`its chunks have ${objectShape.length} dimensions, and the array has ${shape.length}`)
  if (shape.length > MAX_RANK) throw fault(`it has ${shape.length} dimensions, over ${MAX_RANK}`)
  const storedBytes = bytesOf(shape, form)
  bytesOf(objectShape, form)
  const dimensions = names.dimensions.map(
    (each, axis): ArrayDimension => ({ name: each, size: shape[axis] ?? 0, isInvented: false }),
  )
  return {
    name,
    folder,
    element: form.element,
    dimensions,
    chunk,
    isAtomic: !isPlain(codecs),
    storedBytes,
    attributes,
    ...(meaning !== attributes && { meaning }),
    shape,
    objectShape,
    keys,
    codecs,
    data: form.data,
    fill,
  }
}

/** The most dimensions of an array. NumPy has at most 64. */
const MAX_RANK = 64

/** The most bytes of an element of a fixed length. */
const MOST_ELEMENT_BYTES = 8

function bytesOf(shape: readonly number[], { data }: ElementForm): number {
  const elementBytes = data.kind === 'fixed' ? Math.max(1, data.length) : MOST_ELEMENT_BYTES
  // An empty dimension must not hide the others.
  const bytes = shape.reduce((product, size) => product * Math.max(1, size), elementBytes)
  if (!Number.isSafeInteger(bytes)) throw fault(`an array or chunk of ${show(shape)} elements is too large`)
  return shape.includes(0) ? 0 : bytes
}
