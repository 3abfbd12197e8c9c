import { ServiceError } from '../../../../plan/errors.ts'
import { rowWidth } from '../../../../plan/types/row-width.ts'
import type { Range } from '../../read-ranges.ts'
import type { Footer } from './footer.ts'
import { type ColumnMetaData, type RowGroup, statistics } from './metadata.ts'
import type { Column, Leaf } from './schema.ts'
import { decode } from './thrift.ts'

/** The values of one leaf in one row group, where the footer says they are, checked against the file. */
export interface Chunk {
  readonly leaf: Leaf
  /** Rows of the row group. */
  readonly rows: number
  /** Of the first page, a dictionary or data. */
  readonly start: number
  /** Bytes of all pages, but for what old writers did not count (chunk-pages.ts). */
  readonly length: number
  /** Bytes behind them that may be theirs too. */
  readonly uncounted: number
  readonly metaData: ColumnMetaData
  /** Where the two halves of the page index lie, if there are any. */
  readonly offsetIndex: Range | null
  readonly columnIndex: Range | null
  /** Where its bloom filter lies, if it has one; length 0: not known. */
  readonly bloomFilter: Range | null
}

/**
 * Until parquet-mr 1.2.9 writers did not count the header of a chunk's dictionary page in its length (PARQUET-816).
 * parquet-mr and Arrow read so many bytes more.
 */
const MAX_UNCOUNTED_BYTES = 100

/** Of all leaves, for each row group. Errors are `unreadable_file`, without the file's name. */
export function readChunks(
  footer: Footer,
  columns: readonly Column[],
  fileSize: number,
): readonly (readonly Chunk[])[] {
  const leaves = columns.flatMap((column) => column.leaves)
  return footer.rowGroups.map((group, index) => {
    if (group.rows < 0) throw fault(`row group ${index} claims ${group.rows} rows`)
    if (group.columns.length !== leaves.length)
      throw fault(`row group ${index} has ${group.columns.length} columns and the schema ${leaves.length}`)
    return leaves.map((leaf) => readChunk(group, index, leaf, footer.begin, fileSize))
  })
}

function readChunk(group: RowGroup, index: number, leaf: Leaf, dataEnd: number, fileSize: number): Chunk {
  const column = group.columns[leaf.index]
  const metaData = column?.metaData
  // Large files have some 100 000 chunks, so texts are made for the one at fault alone.
  const fail = (what: string): ServiceError =>
    fault(`row group ${index}, column "${leaf.path.join('.')}" ${what}`)
  if (column?.crypto !== undefined || column?.encryptedMetaData !== undefined)
    throw fail('is encrypted, and encrypted Parquet files cannot be read')
  if (metaData === undefined) throw fail('has no metadata')
  if (column?.filePath) throw fail(`lies in another file, "${column.filePath}", which is not supported`)
  if (metaData.type !== leaf.element.type)
    throw fail(`has the physical type ${metaData.type}, its schema ${leaf.element.type}`)
  const { dataPageOffset, compressedSize, values } = metaData
  const dictionary = metaData.dictionaryPageOffset ?? 0
  // Some writers say 0 for "no dictionary".
  const start = dictionary > 0 && dictionary < dataPageOffset ? dictionary : dataPageOffset
  if (group.rows > 0 && (start < 4 || compressedSize <= 0 || compressedSize > fileSize - 8 - start))
    throw fail(`claims ${compressedSize} bytes at ${start} of ${fileSize}; the file is damaged or cut short`)
  if (leaf.maxRepetition === 0 ? values !== group.rows : values < group.rows)
    throw fail(`claims ${values} values for ${group.rows} rows`)
  return {
    leaf,
    rows: group.rows,
    start,
    length: compressedSize,
    uncounted: Math.max(0, Math.min(MAX_UNCOUNTED_BYTES, dataEnd - start - compressedSize)),
    metaData,
    offsetIndex: rangeOf(column?.offsetIndexOffset, column?.offsetIndexLength),
    columnIndex: rangeOf(column?.columnIndexOffset, column?.columnIndexLength),
    bloomFilter: rangeOf(metaData.bloomFilterOffset, metaData.bloomFilterLength ?? 0),
  }
}

function rangeOf(offset: number | undefined, length: number | undefined): Range | null {
  return offset === undefined || length === undefined ? null : { offset, length }
}

/** Estimated bytes of a chunk's values as an Arrow array. */
export function decodedBytes({ leaf, metaData }: Chunk): number {
  const { values } = metaData
  const validity = leaf.maxDefinition > 0 ? values / 8 : 0
  const offsets = leaf.maxRepetition > 0 ? values * 4 : 0
  return Math.ceil(validity + offsets + valueBytes(leaf, metaData))
}

/** Text of unknown length, where nothing else is known: a word or a code. Bytes. */
const TYPICAL_TEXT_BYTES = 16

function valueBytes(leaf: Leaf, metaData: ColumnMetaData): number {
  const { values, uncompressedSize, sizeStatistics } = metaData
  if (leaf.type.kind !== 'utf8' && leaf.type.kind !== 'binary') return values * rowWidth(leaf.type)
  const exact = sizeStatistics?.unencodedByteArrayBytes
  if (exact !== undefined && exact >= 0) return exact + 4 * values
  // A dictionary stores each text once, so the stored size says little. The bounds are of typical length.
  const { minValue, maxValue } = metaData.statistics ? decode(statistics, metaData.statistics) : {}
  const bounds = [minValue, maxValue].flatMap((bound) => (bound ? [bound.length] : []))
  const length =
    bounds.length === 0 ? TYPICAL_TEXT_BYTES : bounds.reduce((sum, each) => sum + each, 0) / bounds.length
  return Math.max(uncompressedSize, values * (length + 4))
}

function fault(what: string): ServiceError {
  return new ServiceError('unreadable_file', what)
}
