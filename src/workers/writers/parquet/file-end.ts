import type { Field } from '../../../plan/types/schema.ts'
import { writeHints } from '../../formats/parquet/metadata/hint.ts'
import {
  type ColumnChunk,
  fileMetaData,
  offsetIndex,
  type RowGroup,
} from '../../formats/parquet/metadata/metadata.ts'
import { encode } from '../../formats/parquet/metadata/thrift.ts'
import type { RowGroupChunk, WrittenRowGroup } from './row-group.ts'
import { hintField } from './stored-field.ts'
import { type WrittenLeaf, writtenSchema } from './written-schema.ts'

/** The first and the last bytes of a Parquet file. */
const MAGIC = Buffer.from('PAR1')

/** The writer that files name. They do not name its version, so that an answer does not change with it. */
const CREATED_BY = 'halocline'

/** A row group, and where in the file the run that it was made with begins. */
export interface PlacedRowGroup {
  readonly at: number
  readonly group: WrittenRowGroup
}

/**
 * What follows the last row group of a file: the column indexes of all chunks, their offset indexes and the footer.
 *
 * @param fields The columns in the types that are stored.
 * @param at The bytes of the file so far.
 */
export function fileEnd(
  fields: readonly Field[],
  groups: readonly PlacedRowGroup[],
  keyValues: readonly { readonly key: string; readonly value: string }[],
  at: number,
): ArrayBuffer {
  const { elements, leaves } = writtenSchema(fields)
  const parts: Uint8Array[] = []
  let end = at
  /** Adds bytes. Returns the offset in the file at which they begin. */
  const add = (bytes: Uint8Array): number => {
    const offset = end
    parts.push(bytes)
    end += bytes.length
    return offset
  }
  // Readers that use an index take all indexes of one kind in one read, so these lie together.
  const columnIndexes = groups.map(({ group }) =>
    group.chunks.map(({ columnIndex }) =>
      columnIndex ? { columnIndexOffset: add(columnIndex), columnIndexLength: columnIndex.length } : {},
    ),
  )
  const offsetIndexes = groups.map(({ at, group }) =>
    group.chunks.map((chunk) => {
      const index = offsetIndexOf(chunk, at)
      return { offsetIndexOffset: add(index), offsetIndexLength: index.length }
    }),
  )
  const rowGroups = groups.map(({ at, group }, i): RowGroup => {
    const columns = leaves.map((leaf, column): ColumnChunk => {
      const chunk = group.chunks[column]
      if (chunk === undefined) throw new RangeError(`row group ${i} has no chunk ${column}`)
      return { ...columnChunk(leaf, chunk, at), ...columnIndexes[i]?.[column], ...offsetIndexes[i]?.[column] }
    })
    return {
      columns,
      totalByteSize: sum(group.chunks.map(({ plainBytes }) => plainBytes)),
      rows: group.rows,
      fileOffset: at + (group.chunks[0]?.at ?? 0),
      totalCompressedSize: sum(group.chunks.map(({ bytes }) => bytes)),
    }
  })
  const metadata = encode(fileMetaData, {
    version: 1,
    schema: elements,
    rows: sum(groups.map(({ group }) => group.rows)),
    rowGroups,
    keyValues: [...keyValues, writeHints({ fields: fields.map(hintField), metadata: {} })],
    createdBy: CREATED_BY,
    columnOrders: leaves.map(() => ({ typeDefined: {} })),
  })
  const length = Buffer.alloc(4)
  length.writeUInt32LE(metadata.length)
  return join([...parts, metadata, length, MAGIC])
}

function columnChunk({ path, physical }: WrittenLeaf, chunk: RowGroupChunk, at: number): ColumnChunk {
  const { dictionaryBytes, textBytes } = chunk
  const start = at + chunk.at
  return {
    // The footer alone has the metadata, so no offset is given.
    fileOffset: 0,
    metaData: {
      type: physical,
      encodings: chunk.encodings,
      path,
      codec: chunk.codec,
      values: chunk.values,
      uncompressedSize: chunk.plainBytes,
      compressedSize: chunk.bytes,
      dataPageOffset: start + dictionaryBytes,
      ...(dictionaryBytes > 0 && { dictionaryPageOffset: start }),
      ...(chunk.statistics && { statistics: chunk.statistics }),
      ...(textBytes !== undefined && { sizeStatistics: { unencodedByteArrayBytes: textBytes } }),
    },
  }
}

function offsetIndexOf({ at, pages }: RowGroupChunk, runAt: number): Uint8Array {
  const textBytes = pages.map((page) => page.textBytes)
  return encode(offsetIndex, {
    pages: pages.map((page) => ({
      offset: runAt + at + page.at,
      compressedSize: page.bytes,
      firstRow: page.firstRow,
    })),
    ...(textBytes.every((bytes) => bytes !== undefined) && { unencodedByteArrayBytes: textBytes }),
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function join(parts: readonly Uint8Array[]): ArrayBuffer {
  const bytes = new Uint8Array(sum(parts.map(({ length }) => length)))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes.buffer
}
