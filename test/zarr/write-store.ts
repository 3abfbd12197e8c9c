import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'

/** What a test writes of an array of version 3. Its elements are little-endian. */
export interface WrittenArray {
  readonly shape: readonly number[]
  readonly chunk: readonly number[]
  readonly dimensions: readonly string[]
  /** In C order. */
  readonly values: Float32Array | Float64Array | Int32Array | BigInt64Array
  readonly attributes?: object
  /** Members of `zarr.json` that differ. */
  readonly metadata?: object
}

/** Writes a group of version 3, whose arrays have chunks of `bytes` and `zstd`. Returns the documents by their keys. */
export function writeGroup(
  store: string,
  arrays: Readonly<Record<string, WrittenArray>>,
  attributes: object = {},
): Readonly<Record<string, object>> {
  const documents: Record<string, object> = {
    'zarr.json': { zarr_format: 3, node_type: 'group', attributes },
  }
  for (const [name, array] of Object.entries(arrays)) {
    documents[`${name}/zarr.json`] = documentOf(array)
    for (const [key, bytes] of chunksOf(array)) write(join(store, name, key), zstdCompressSync(bytes))
  }
  for (const [key, document] of Object.entries(documents)) write(join(store, key), JSON.stringify(document))
  return documents
}

export function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

function documentOf({ shape, chunk, dimensions, values, attributes = {}, metadata }: WrittenArray): object {
  const types = { Float32Array: 'float32', Float64Array: 'float64', Int32Array: 'int32' }
  const name = values.constructor.name
  return {
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: name in types ? types[name as keyof typeof types] : 'int64',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [
      { name: 'bytes', configuration: { endian: 'little' } },
      { name: 'zstd', configuration: {} },
    ],
    dimension_names: dimensions,
    attributes,
    ...metadata,
  }
}

/** The bytes of each chunk, with its key. Elements of a chunk that are not in the array are zero. */
function* chunksOf({ shape, chunk, values }: WrittenArray): Generator<readonly [string, Uint8Array]> {
  const counts = shape.map((size, axis) => Math.ceil(size / (chunk[axis] ?? 1)))
  const elementBytes = values.BYTES_PER_ELEMENT
  const all = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  for (const position of indexes(counts)) {
    const elements = [...indexes(chunk)]
    const bytes = new Uint8Array(elements.length * elementBytes)
    for (const [to, index] of elements.entries()) {
      const at = index.map((each, axis) => each + (position[axis] ?? 0) * (chunk[axis] ?? 1))
      if (at.some((each, axis) => each >= (shape[axis] ?? 0))) continue
      const from = at.reduce((place, each, axis) => place * (shape[axis] ?? 1) + each, 0)
      bytes.set(all.subarray(from * elementBytes, (from + 1) * elementBytes), to * elementBytes)
    }
    yield [['c', ...position].join('/'), bytes]
  }
}

/** All indexes in a shape, in C order. */
function* indexes([size, ...others]: readonly number[]): Generator<readonly number[]> {
  if (size === undefined) yield []
  else for (let index = 0; index < size; index++) for (const rest of indexes(others)) yield [index, ...rest]
}
