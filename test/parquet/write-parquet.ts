import { crc32 } from 'node:zlib'
import {
  Encoding,
  type FileMetaData,
  fileMetaData,
  type PageHeader,
  PageType,
  PhysicalType,
  pageHeader,
  type SchemaElement,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { encode } from '../../src/workers/formats/parquet/metadata/thrift.ts'

/** A value of a leaf with its levels. It has a `value` only if its definition level is the greatest. */
export interface Level {
  readonly repetition: number
  readonly definition: number
  readonly value?: number | Uint8Array
}

export interface TestPage {
  readonly levels: readonly Level[]
  readonly version: 1 | 2
  /** Values are written as indices into the dictionary of the leaf, which must have all of them. */
  readonly isDictionary?: boolean
}

export interface TestLeaf {
  readonly path: readonly string[]
  /** INT32, INT64, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY or INT96. Values are written in PLAIN encoding. */
  readonly type: number
  readonly maxDefinition: number
  readonly maxRepetition: number
  readonly pages: readonly TestPage[]
  /** The values of a dictionary page: byte arrays, or the 12 bytes of INT96. */
  readonly dictionary?: readonly Uint8Array[]
}

/** A Parquet file of one row group, with the pages and the changes to its metadata that a test needs. */
export function writeParquet(
  schema: readonly SchemaElement[],
  leaves: readonly TestLeaf[],
  rows: number,
  change: (metadata: FileMetaData) => FileMetaData = (metadata) => metadata,
): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('PAR1')]
  let size = 4
  const columns = leaves.map((leaf) => {
    const start = size
    const dictionary = leaf.dictionary === undefined ? [] : [writeDictionary(leaf.type, leaf.dictionary)]
    const [dictionaryBytes = 0] = dictionary.map(({ length }) => length)
    for (const bytes of [...dictionary, ...leaf.pages.map((page) => writePage(leaf, page))]) {
      parts.push(bytes)
      size += bytes.length
    }
    const values = leaf.pages.reduce((sum, { levels }) => sum + levels.length, 0)
    return {
      fileOffset: 0,
      metaData: {
        type: leaf.type,
        encodings: [],
        path: leaf.path,
        codec: 0,
        values,
        uncompressedSize: size - start,
        compressedSize: size - start,
        dataPageOffset: start + dictionaryBytes,
        ...(dictionaryBytes > 0 && { dictionaryPageOffset: start }),
      },
    }
  })
  const footer = encode(
    fileMetaData,
    change({ version: 1, schema, rows, rowGroups: [{ columns, totalByteSize: size, rows }] }),
  )
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(footer.length, 0)
  trailer.write('PAR1', 4)
  return Buffer.concat([...parts, footer, trailer])
}

function writeDictionary(type: number, values: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(values.map((value) => plain(type, value)))
  const size = { uncompressedSize: body.length, compressedSize: body.length, crc: crc32(body) | 0 }
  const dictionaryPage = { values: values.length, encoding: Encoding.plain }
  return Buffer.concat([encode(pageHeader, { type: PageType.dictionary, ...size, dictionaryPage }), body])
}

function writePage(leaf: TestLeaf, { levels, version, isDictionary = false }: TestPage): Uint8Array {
  const repetition = leaf.maxRepetition > 0 ? rle(levels.map((level) => level.repetition)) : Buffer.alloc(0)
  const definition = leaf.maxDefinition > 0 ? rle(levels.map((level) => level.definition)) : Buffer.alloc(0)
  const present = levels.filter((level) => level.definition === leaf.maxDefinition)
  const values = isDictionary
    ? numbersIn(leaf, present)
    : Buffer.concat(present.map(({ value }) => plain(leaf.type, value ?? 0)))
  const encoding = isDictionary ? Encoding.rleDictionary : Encoding.plain
  const body =
    version === 2
      ? Buffer.concat([repetition, definition, values])
      : Buffer.concat([
          ...(leaf.maxRepetition > 0 ? [withLength(repetition)] : []),
          ...(leaf.maxDefinition > 0 ? [withLength(definition)] : []),
          values,
        ])
  const header: PageHeader = {
    type: version === 2 ? PageType.dataV2 : PageType.data,
    uncompressedSize: body.length,
    compressedSize: body.length,
    crc: crc32(body) | 0,
    ...(version === 2
      ? {
          dataPageV2: {
            values: levels.length,
            nulls: levels.length - present.length,
            rows: levels.filter((level) => level.repetition === 0).length,
            encoding,
            definitionLevelBytes: definition.length,
            repetitionLevelBytes: repetition.length,
            isCompressed: false,
          },
        }
      : {
          dataPage: {
            values: levels.length,
            encoding,
            definitionLevelEncoding: Encoding.rle,
            repetitionLevelEncoding: Encoding.rle,
          },
        }),
  }
  return Buffer.concat([encode(pageHeader, header), body])
}

/** Dictionary indices: their width, 8 bits, and runs of them. */
function numbersIn({ dictionary = [] }: TestLeaf, present: readonly Level[]): Buffer {
  const numberOf = ({ value }: Level) =>
    dictionary.findIndex((each) => value instanceof Uint8Array && Buffer.compare(each, value) === 0)
  return Buffer.concat([Uint8Array.of(8), rle(present.map(numberOf))])
}

function plain(type: number, value: number | Uint8Array): Buffer {
  if (typeof value !== 'number')
    return type === PhysicalType.byteArray ? withLength(value) : Buffer.from(value)
  const bytes = Buffer.alloc(type === PhysicalType.int64 ? 8 : 4)
  bytes.writeIntLE(value, 0, 4)
  return bytes
}

/** Runs of the RLE/bit-packing hybrid, of values of up to 8 bits. A run has fewer than 64 of them. */
function rle(levels: readonly number[]): Buffer {
  const bytes: number[] = []
  for (let at = 0; at < levels.length; ) {
    const level = levels[at] ?? 0
    let end = at + 1
    while (end < levels.length && levels[end] === level && end - at < 63) end++
    bytes.push((end - at) << 1, level)
    at = end
  }
  return Buffer.from(bytes)
}

function withLength(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}
