import type { ServiceError } from '../../../../plan/errors.ts'
import { rowWidth } from '../../../../plan/types/row-width.ts'
import { fault } from '../../fault.ts'
import type { Range } from '../../read-ranges.ts'
import type { Footer } from './footer.ts'
import { type ColumnMetaData, type RowGroup, statistics } from './metadata.ts'
import type { Column, Leaf } from './schema.ts'
import { decode } from './thrift.ts'

/** A column chunk: the values of one leaf in one row group. Its offsets and lengths have been checked against the file. */
export interface Chunk {
  readonly leaf: Leaf
  /** Rows of the row group. */
  readonly rows: number
  /** Offset in the file of its first page, a dictionary or data page. */
  readonly start: number
  /** Bytes of all its pages, except those that old writers did not count. */
  readonly length: number
  /** How many bytes after these may belong to it as well; see `MAX_UNCOUNTED_BYTES` and chunk-pages.ts. */
  readonly uncounted: number
  readonly metaData: ColumnMetaData
  /** The two parts of its page index. Null: it has none. */
  readonly offsetIndex: Range | null
  readonly columnIndex: Range | null
  /** Its bloom filter, with length 0 if the file does not tell the length. Null: it has none. */
  readonly bloomFilter: Range | null
}

/**
 * Versions of parquet-mr before 1.2.9 did not count the header of the dictionary page in the length of a chunk (PARQUET-816).
 * This many bytes more are read, as parquet-mr and Arrow do.
 */
const MAX_UNCOUNTED_BYTES = 100

/** The chunks of each row group, one for each leaf. Throws `unreadable_file`; callers add the file's name. */
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
  // A large file has some 100 000 chunks, so messages are made only when one is damaged.
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
  // Some writers set the offset to 0 if there is no dictionary.
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

/** An estimate of what the values of a chunk take as an Arrow array, in bytes. */
export function decodedBytes({ leaf, metaData }: Chunk): number {
  const { values } = metaData
  const validity = leaf.maxDefinition > 0 ? values / 8 : 0
  const offsets = leaf.maxRepetition > 0 ? values * 4 : 0
  return Math.ceil(validity + offsets + valueBytes(leaf, metaData))
}

/** The estimated bytes of a text of unknown length: a word or a code. */
const TYPICAL_TEXT_BYTES = 16

function valueBytes(leaf: Leaf, metaData: ColumnMetaData): number {
  const { values, uncompressedSize, sizeStatistics } = metaData
  if (leaf.type.kind !== 'utf8' && leaf.type.kind !== 'binary') return values * rowWidth(leaf.type)
  const exact = sizeStatistics?.unencodedByteArrayBytes
  if (exact !== undefined && exact >= 0) return exact + 4 * values
  // With a dictionary each text is stored once, so the stored size may be too small. The bounds are texts of typical length.
  const { minValue, maxValue } = metaData.statistics ? decode(statistics, metaData.statistics) : {}
  const bounds = [minValue, maxValue].flatMap((bound) => (bound ? [bound.length] : []))
  const length =
    bounds.length === 0 ? TYPICAL_TEXT_BYTES : bounds.reduce((sum, each) => sum + each, 0) / bounds.length
  return Math.max(uncompressedSize, values * (length + 4))
}
