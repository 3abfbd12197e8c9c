import { zstdCompressSync } from 'node:zlib'
import { type ArchiveWriter, createArchiveWriter, writeTable } from './archive-writer.ts'

/** An array as a file stores it. */
export interface WrittenArray {
  /** The number of its type: that of `CODES`. */
  readonly code: number
  readonly dimensions: readonly { readonly name: string; readonly size: number }[]
  readonly length: number
  readonly values: Uint8Array
  readonly offsets?: Uint8Array
  readonly validity?: Uint8Array
  /** The ends of runs, of which the others are the values. */
  readonly ends?: readonly number[]
}

export interface WrittenFile {
  readonly columns: readonly { readonly name: string; readonly code: number }[]
  readonly entries: readonly { readonly name: string; readonly isDeleted?: boolean }[]
  /** The array of a column in an entry. Null: it is absent. */
  array(column: number, entry: number): WrittenArray | null
  /** The number of entries of each group of a column. Entries behind them are in none. */
  groups(column: number): readonly number[]
  compression(block: number): Compression
  /** The index, by column. Absent: there is none. */
  readonly index?: readonly WrittenStatistics[]
}

export interface WrittenStatistics {
  readonly nulls: readonly number[]
  readonly rows: readonly number[]
  readonly min: WrittenArray
  readonly max: WrittenArray
}

export type Compression = 'none' | 'zstd' | 'lz4'

/** Types in the order of their numbers. */
export const CODES = Object.freeze([
  ...[
    'Null',
    'Boolean',
    'Int8',
    'Int16',
    'Int32',
    'Int64',
    'UInt8',
    'UInt16',
    'UInt32',
    'UInt64',
    'Float32',
    'Float64',
  ],
  ...[
    'TimestampSeconds',
    'TimestampMilliseconds',
    'TimestampMicroseconds',
    'TimestampNanoseconds',
    'String',
    'Binary',
  ],
] as const)

const TEXT = CODES.indexOf('String')

interface Place {
  readonly offset: number
  readonly size: number
}

/** Writes a file as the reference writer does (version 2.1.3). */
export function writeBbf(file: WrittenFile): Buffer {
  const parts: Uint8Array[] = [Buffer.from('BBF1')]
  let length = 4
  let blocks = 0

  function block(payload: Uint8Array, compression = file.compression(blocks++)): Place {
    const bytes = blockOf(payload, compression)
    const place = { offset: length, size: bytes.length }
    parts.push(bytes)
    length += bytes.length
    return place
  }

  const directories = file.columns.map((_, column) => {
    const groups: (Place & { readonly from: number; readonly to: number })[] = []
    let from = 0
    for (const count of file.groups(column)) {
      const arrays = Array.from({ length: count }, (_, index) => file.array(column, from + index))
      groups.push({ from, to: from + count, ...block(archive((writer) => writeGroup(writer, arrays))) })
      from += count
    }
    return block(archive((writer) => writeDirectory(writer, groups)))
  })
  const { index } = file
  const indexes: (readonly [string, Place])[] = []
  if (index !== undefined) {
    const places = index.map((each) => block(archive((writer) => writeStatistics(writer, each))))
    const named = file.columns.flatMap(({ name }, column) => {
      const place = places[column]
      return place === undefined ? [] : [[name, place] as const]
    })
    indexes.push([
      'pruning_index',
      block(archive((writer) => writeIndex(writer, file.entries.length, named))),
    ])
  }
  const footer = block(
    archive((writer) =>
      writeFooter(
        writer,
        file,
        file.columns.flatMap(({ name }, column) => {
          const place = directories[column]
          return place === undefined ? [] : [[name, place] as const]
        }),
        indexes,
      ),
    ),
  )
  const trailer = Buffer.alloc(12)
  trailer.writeBigUInt64LE(BigInt(footer.size))
  trailer.write('BBF1', 8)
  return Buffer.concat([...parts, trailer])
}

function archive(write: (writer: ArchiveWriter) => void): Uint8Array {
  const writer = createArchiveWriter()
  write(writer)
  return writer.finish()
}

/** A block: the payload, and behind it the root, which says how it is compressed. */
function blockOf(payload: Uint8Array, compression: Compression): Uint8Array {
  return archive((writer) => {
    const stored =
      compression === 'none'
        ? payload
        : compression === 'zstd'
          ? zstdCompressSync(payload)
          : lz4Block(payload)
    const at = writer.bytes(stored)
    writer.struct(64, (root) => {
      writer.byte(root, compression === 'none' ? 1 : 0)
      if (compression === 'none') return writer.vector(root + 8, at, stored.length)
      writer.byte(root + 8, compression === 'zstd' ? 0 : 1)
      writer.byte(root + 12, compression === 'zstd' ? 3 : 0)
      writer.number(root + 40, payload.length)
      writer.vector(root + 48, at, stored.length)
    })
  })
}

/** A block of LZ4 that has literals alone. */
function lz4Block(bytes: Uint8Array): Uint8Array {
  const { length } = bytes
  if (length < 15) return Buffer.concat([Buffer.of(length << 4), bytes])
  const rest = length - 15
  const lengths = [...new Array<number>(Math.floor(rest / 255)).fill(255), rest % 255]
  return Buffer.concat([Buffer.of(0xf0, ...lengths), bytes])
}

function writeGroup(writer: ArchiveWriter, arrays: readonly (WrittenArray | null)[]): void {
  const fills = arrays.map((array) => array && arrayWriter(writer, array))
  const dimensions = arrays.map((array) => {
    if (array === null || array.dimensions.length === 0) return 0
    const names = array.dimensions.map(({ name }) => textWriter(writer, name))
    return writer.struct(24 * names.length, (at) => {
      for (const [index, write] of names.entries()) {
        write(at + 24 * index)
        writer.number(at + 24 * index + 16, array.dimensions[index]?.size ?? 0)
      }
    })
  })
  const arraysAt = writer.struct(80 * arrays.length, (at) => {
    for (const [index, fill] of fills.entries()) {
      if (fill === null) continue
      writer.byte(at + 80 * index, 1)
      fill(at + 80 * index + 8)
    }
  })
  const dimensionsAt = writer.struct(32 * arrays.length, (at) => {
    for (const [index, array] of arrays.entries()) {
      if (array === null) continue
      writer.byte(at + 32 * index, 1)
      if (array.dimensions.length === 0) continue
      writer.byte(at + 32 * index + 8, 1)
      writer.vector(at + 32 * index + 16, dimensions[index] ?? 0, array.dimensions.length)
    }
  })
  writer.struct(32, (root) => {
    writer.vector(root, arraysAt, arrays.length)
    writer.vector(root + 16, dimensionsAt, arrays.length)
  })
}

/** Writes the buffers of an array. Returns what writes the array itself. */
function arrayWriter(writer: ArchiveWriter, array: WrittenArray): (at: number) => void {
  const { code, length, values, offsets, validity, ends } = array
  if (ends !== undefined) {
    const { ends: _, ...inner } = array
    const endsAt = writer.bytes(new Uint8Array(Int32Array.from(ends).buffer))
    const write = arrayWriter(writer, { ...inner, length: ends.length })
    const innerAt = writer.struct(72, write)
    return (at) => {
      writer.vector(at + 8, endsAt, 4 * ends.length)
      writer.number(at + 24, ends.length)
      writer.pointer(at + 32, innerAt)
    }
  }
  const valuesAt = writer.bytes(values)
  const offsetsAt = offsets === undefined ? 0 : writer.bytes(offsets)
  const validityAt = validity === undefined ? 0 : writer.bytes(validity)
  return (at) => {
    writer.byte(at, code + 1)
    if (code === 0) return writer.number(at + 8, length)
    writer.vector(at + 8, valuesAt, values.length)
    if (code === TEXT) writer.vector(at + 24, offsetsAt, offsets?.length ?? 0)
    const lengthAt = at + (code === TEXT ? 40 : 24)
    writer.number(lengthAt, length)
    if (validity === undefined) return
    writer.byte(lengthAt + 8, 1)
    writer.vector(lengthAt + 16, validityAt, validity.length)
  }
}

function textWriter(writer: ArchiveWriter, text: string): (at: number) => void {
  const bytes = Buffer.from(text)
  const long = bytes.length > 16 ? writer.bytes(bytes) : null
  return (at) => writer.text(at, bytes, long)
}

function writeDirectory(
  writer: ArchiveWriter,
  groups: readonly (Place & { readonly from: number; readonly to: number })[],
): void {
  const at = writer.struct(32 * groups.length, (begin) => {
    for (const [index, { from, to, offset, size }] of groups.entries())
      for (const [member, value] of [from, to - 1, offset, size].entries())
        writer.number(begin + 32 * index + 8 * member, value)
  })
  writer.struct(24, (root) => {
    writer.vector(root, at, groups.length)
    writer.number(root + 16, groups.length)
  })
}

function writeStatistics(writer: ArchiveWriter, { nulls, rows, min, max }: WrittenStatistics): void {
  const counts = (values: readonly number[]): WrittenArray => ({
    code: CODES.indexOf('UInt64'),
    dimensions: [],
    length: values.length,
    values: new Uint8Array(BigUint64Array.from(values.map(BigInt)).buffer),
  })
  const fills = [counts(nulls), counts(rows), min, max].map((array) => arrayWriter(writer, array))
  writer.struct(296, (root) => {
    for (const [index, fill] of fills.entries()) fill(root + 72 * index)
  })
}

type Named = readonly (readonly [string, Place])[]

function writeIndex(writer: ArchiveWriter, entries: number, named: Named): void {
  const map = placesWriter(writer, named)
  writer.struct(48, (root) => {
    writer.number(root + 8, entries)
    map(root + 16)
  })
}

function placesWriter(writer: ArchiveWriter, named: Named): (at: number) => void {
  return mapWriter(writer, named, 32, ({ offset, size }, at) => {
    writer.number(at, offset)
    writer.number(at + 8, size)
  })
}

function mapWriter<T>(
  writer: ArchiveWriter,
  pairs: readonly (readonly [string, T])[],
  stride: number,
  write: (value: T, at: number) => void,
): (at: number) => void {
  const table = writeTable(
    writer,
    pairs.map(([key]) => Buffer.from(key)),
  )
  const keys = pairs.map(([key]) => textWriter(writer, key))
  const pairsAt = writer.struct(stride * pairs.length, (begin) => {
    for (const [index, [, value]] of pairs.entries()) {
      keys[index]?.(begin + stride * index)
      write(value, begin + stride * index + 16)
    }
  })
  return (at) => {
    writer.vector(at, table.at, pairs.length)
    writer.number(at + 16, table.buckets)
    writer.pointer(at + 24, pairsAt)
  }
}

function writeFooter(
  writer: ArchiveWriter,
  { columns, entries }: WrittenFile,
  directories: Named,
  indexes: Named,
): void {
  const types = columns.map(({ name, code }) => [name, code] as const)
  const version = textWriter(writer, '2.1.3')
  const maps = [
    mapWriter(writer, types, 24, (code, at) => writer.byte(at, code)),
    placesWriter(writer, directories),
    placesWriter(writer, indexes),
  ]
  const deleted = writer.bytes(Uint8Array.from(entries.map(({ isDeleted }) => Number(isDeleted === true))))
  const names = entries.map(({ name }) => textWriter(writer, name))
  const entriesAt = writer.struct(32 * entries.length, (at) => {
    for (const [index, write] of names.entries()) write(at + 32 * index)
  })
  writer.struct(144, (root) => {
    version(root)
    for (const [index, write] of maps.entries()) write(root + 16 + 32 * index)
    writer.vector(root + 112, deleted, entries.length)
    writer.vector(root + 128, entriesAt, entries.length)
  })
}
