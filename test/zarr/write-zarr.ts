import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync, zstdCompressSync } from 'node:zlib'
import { cellsOfChunk, indices, type Numbers } from './cells-of-chunk.ts'
import { shardOf } from './shard.ts'

/** An array as tests write it. Its values are in C order. */
export interface ArrayToWrite {
  readonly name: string
  readonly dimensions: readonly string[]
  readonly shape: readonly number[]
  readonly chunk: readonly number[]
  readonly values: Numbers
  /** The elements are texts of so many characters, each of which is a value. Absent: they are numbers. */
  readonly textLength?: number
  readonly attributes?: Readonly<Record<string, unknown>>
  /** The value of chunks that are not written. Default: 0. */
  readonly fill?: number | string
  /** Chunks that are not written, by their index in the C order of chunks. */
  readonly absent?: ReadonlySet<number>
}

export interface Layout {
  readonly version: 2 | 3
  /** The number of chunks of a shard along each dimension. Absent: there are no shards. */
  readonly chunksOfShard?: number
  readonly indexLocation?: 'start' | 'end'
  readonly isCompressed?: boolean
  readonly isConsolidated?: boolean
  /** Whether chunks of version 2 are in Fortran order, and those of version 3 transposed. */
  readonly isFortran?: boolean
}

/** The objects of a store by their keys: documents, and chunks or shards. */
export function zarrObjects(
  arrays: readonly ArrayToWrite[],
  layout: Layout,
  attributes: Readonly<Record<string, unknown>> = {},
): Map<string, Uint8Array> {
  const documents = layout.version === 2 ? documents2(arrays, layout) : documents3(arrays, layout)
  if (layout.version === 2) {
    documents.set('.zgroup', { zarr_format: 2 })
    documents.set('.zattrs', attributes)
  } else documents.set('zarr.json', { zarr_format: 3, node_type: 'group', attributes })
  if (layout.isConsolidated) consolidate(documents, layout.version)
  const objects = new Map<string, Uint8Array>()
  for (const [key, document] of documents) objects.set(key, Buffer.from(JSON.stringify(document)))
  for (const array of arrays)
    for (const [place, bytes] of chunkObjects(array, layout)) objects.set(`${array.name}/${place}`, bytes)
  return objects
}

/** Writes objects below a folder. */
export function writeObjects(folder: string, objects: ReadonlyMap<string, Uint8Array>): void {
  for (const [key, bytes] of objects) {
    const file = join(folder, key)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
}

/** Writes a store below a folder. */
export function writeZarr(
  folder: string,
  arrays: readonly ArrayToWrite[],
  layout: Layout,
  attributes?: Readonly<Record<string, unknown>>,
): void {
  writeObjects(folder, zarrObjects(arrays, layout, attributes))
}

/** The chunks or shards of an array, by the part of their keys behind the name of the array. */
export function* chunkObjects(array: ArrayToWrite, layout: Layout): Generator<[string, Uint8Array]> {
  const perShard = layout.chunksOfShard ?? 1
  const grid = array.shape.map((size, axis) => Math.ceil(size / (array.chunk[axis] ?? 1)))
  const encode = (index: readonly number[]): Uint8Array | null => {
    const place = index.reduce((sum, each, axis) => sum * (grid[axis] ?? 1) + each, 0)
    const isOutside = index.some((each, axis) => each >= (grid[axis] ?? 1))
    return isOutside || array.absent?.has(place) ? null : encoded(cellsOfChunk(array, index, layout), layout)
  }
  for (const index of indices(grid.map((count) => Math.ceil(count / perShard)))) {
    const bytes =
      layout.chunksOfShard === undefined ? encode(index) : shardOf(index, perShard, encode, layout)
    if (bytes !== null) yield [keyOf(index, layout.version), bytes]
  }
}

function keyOf(index: readonly number[], version: 2 | 3): string {
  if (version === 3) return ['c', ...index].join('/')
  return index.length === 0 ? '0' : index.join('.')
}

function encoded(bytes: Uint8Array, { version, isCompressed }: Layout): Uint8Array {
  if (!isCompressed) return bytes
  return version === 2 ? deflateSync(bytes) : zstdCompressSync(bytes)
}

function documents2(arrays: readonly ArrayToWrite[], layout: Layout): Map<string, object> {
  return new Map(
    arrays.flatMap(
      ({ name, dimensions, shape, chunk, attributes, fill, ...elements }): [string, object][] => [
        [
          `${name}/.zarray`,
          {
            zarr_format: 2,
            shape,
            chunks: chunk,
            dtype: typesOf(elements)[0],
            compressor: layout.isCompressed ? { id: 'zlib', level: 6 } : null,
            // xarray takes a fill value as null.
            fill_value: fill ?? null,
            order: layout.isFortran ? 'F' : 'C',
            filters: null,
          },
        ],
        [`${name}/.zattrs`, { ...attributes, _ARRAY_DIMENSIONS: dimensions }],
      ],
    ),
  )
}

function documents3(arrays: readonly ArrayToWrite[], layout: Layout): Map<string, object> {
  const perShard = layout.chunksOfShard
  return new Map(
    arrays.map(
      ({ name, dimensions, shape, chunk, attributes = {}, fill = 0, ...elements }): [string, object] => {
        const order = shape.map((_, axis) => shape.length - 1 - axis)
        const codecs = [
          ...(layout.isFortran ? [{ name: 'transpose', configuration: { order } }] : []),
          LITTLE,
          ...(layout.isCompressed ? [{ name: 'zstd', configuration: { level: 3, checksum: false } }] : []),
        ]
        const sharding = {
          chunk_shape: chunk,
          codecs,
          index_codecs: [LITTLE, { name: 'crc32c' }],
          index_location: layout.indexLocation ?? 'end',
        }
        return [
          `${name}/zarr.json`,
          {
            zarr_format: 3,
            node_type: 'array',
            shape,
            data_type: typesOf(elements)[1],
            chunk_grid: {
              name: 'regular',
              configuration: { chunk_shape: chunk.map((each) => each * (perShard ?? 1)) },
            },
            chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
            fill_value: fill,
            codecs: perShard === undefined ? codecs : [{ name: 'sharding_indexed', configuration: sharding }],
            attributes,
            dimension_names: dimensions,
          },
        ]
      },
    ),
  )
}

const LITTLE = Object.freeze({ name: 'bytes', configuration: { endian: 'little' } })

const TYPES = new Map<unknown, readonly [string, string]>([
  [Int8Array, ['|i1', 'int8']],
  [Uint8Array, ['|u1', 'uint8']],
  [Int16Array, ['<i2', 'int16']],
  [Uint16Array, ['<u2', 'uint16']],
  [Int32Array, ['<i4', 'int32']],
  [Uint32Array, ['<u4', 'uint32']],
  [BigInt64Array, ['<i8', 'int64']],
  [BigUint64Array, ['<u8', 'uint64']],
  [Float32Array, ['<f4', 'float32']],
  [Float64Array, ['<f8', 'float64']],
])

/** The type of elements in both versions. */
function typesOf({
  values,
  textLength,
}: Pick<ArrayToWrite, 'values' | 'textLength'>): readonly [string, string | object] {
  if (textLength !== undefined) {
    const configuration = { length_bytes: 4 * textLength }
    return [`<U${textLength}`, { name: 'fixed_length_utf32', configuration }]
  }
  const found = TYPES.get(values.constructor)
  if (found === undefined) throw new TypeError(`no type of ${values.constructor.name}`)
  return found
}

function consolidate(documents: Map<string, object>, version: 2 | 3): void {
  const metadata = Object.fromEntries(
    [...documents].map(([key, document]) => [
      version === 2 ? key : key.slice(0, -'/zarr.json'.length),
      document,
    ]),
  )
  if (version === 2) {
    documents.set('.zmetadata', { zarr_consolidated_format: 1, metadata })
    return
  }
  delete metadata['']
  const consolidated = { kind: 'inline', must_understand: false, metadata }
  documents.set('zarr.json', { ...documents.get('zarr.json'), consolidated_metadata: consolidated })
}
