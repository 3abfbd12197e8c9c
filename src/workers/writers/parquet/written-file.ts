import { offsetIndex, statistics } from '../../formats/parquet/metadata/metadata.ts'
import { decode, encodedBytes, i32, i64, list, struct } from '../../formats/parquet/metadata/thrift.ts'
import type { RowGroupChunk } from './row-group.ts'

/** What is used of the footer of a file that parquet-wasm has written. */
const writtenMetadata = struct(
  {
    codec: [4, i32],
    encodings: [2, list(i32)],
    values: [5, i64],
    plainBytes: [6, i64],
    bytes: [7, i64],
    dataPageOffset: [9, i64],
  },
  {
    dictionaryPageOffset: [11, i64],
    statistics: [12, encodedBytes(statistics)],
    sizes: [16, struct({}, { textBytes: [1, i64] })],
  },
)
const writtenChunk = struct(
  { metadata: [3, writtenMetadata], offsetIndexOffset: [4, i64], offsetIndexLength: [5, i32] },
  { columnIndexOffset: [6, i64], columnIndexLength: [7, i32] },
)
const writtenGroup = struct({ columns: [1, list(writtenChunk)] }, {})
const writtenFile = struct({ rowGroups: [4, list(writtenGroup)] }, {})

/** The pages of a column chunk, and what the end of another file has to say of them if they begin at its first byte. */
export interface FoundChunk {
  readonly pages: Uint8Array<ArrayBuffer>
  readonly chunk: RowGroupChunk
}

/** Bytes of the footer's length and the magic number behind it. */
const TRAILER_BYTES = 8

/** The column chunks of a file with one row group that parquet-wasm has written. */
export function readWrittenFile(file: Uint8Array<ArrayBuffer>): readonly FoundChunk[] {
  const end = file.length - TRAILER_BYTES
  const length = new DataView(file.buffer, file.byteOffset).getUint32(end, true)
  const { rowGroups } = decode(writtenFile, file.subarray(end - length, end))
  const [group] = rowGroups
  if (rowGroups.length !== 1 || group === undefined)
    throw new RangeError(`parquet-wasm wrote ${rowGroups.length} row groups`)
  return group.columns.map((column): FoundChunk => {
    const { metadata, columnIndexOffset, columnIndexLength = 0 } = column
    const { codec, encodings, values, plainBytes, bytes, statistics, sizes } = metadata
    const start = metadata.dictionaryPageOffset ?? metadata.dataPageOffset
    const index = decode(
      offsetIndex,
      file.subarray(column.offsetIndexOffset, column.offsetIndexOffset + column.offsetIndexLength),
    )
    return {
      pages: file.subarray(start, start + bytes),
      chunk: {
        at: 0,
        bytes,
        plainBytes,
        dictionaryBytes: metadata.dataPageOffset - start,
        values,
        codec,
        encodings,
        pages: index.pages.map(({ offset, compressedSize, firstRow }) => ({
          at: offset - start,
          bytes: compressedSize,
          firstRow,
        })),
        ...(statistics && { statistics }),
        ...(columnIndexOffset !== undefined && {
          columnIndex: file.subarray(columnIndexOffset, columnIndexOffset + columnIndexLength),
        }),
        ...(sizes?.textBytes !== undefined && { textBytes: sizes.textBytes }),
      },
    }
  })
}
