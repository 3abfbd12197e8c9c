import {
  readByte,
  readLong,
  readStructs,
  readTable,
  type Table,
} from '../../../plan/arrow/read-flatbuffer.ts'
import { rowWidth } from '../../../plan/types/row-width.ts'
import type { ForeignLayout } from '../../../wasm/core/layout.ts'
import { fault } from '../fault.ts'
import type { Range } from '../read-ranges.ts'
import type { StoredBatch } from './message.ts'
import type { Storage } from './storage.ts'

/** The header of a record batch. Every number in it has been checked. */
export interface RecordBatch {
  readonly rows: number
  readonly codec: Codec | null
  /** One array for each column. */
  readonly arrays: readonly StoredArray[]
}

export type Codec = 'lz4' | 'zstd'

/** An array of a batch, with the ranges of its buffers in the file. */
export interface StoredArray {
  readonly storage: Storage
  readonly rows: number
  /** Null: the writer has not counted them. */
  readonly nulls: number | null
  readonly buffers: readonly Range[]
  /** None if the array is encoded with a dictionary. */
  readonly children: readonly StoredArray[]
}

/** The enum `CompressionType` of Arrow's Message.fbs. */
const CODECS: readonly Codec[] = ['lz4', 'zstd']

/** The most rows that a column of the core can have. */
const MAX_ROWS = 2 ** 31 - 1

/** The size of a `FieldNode` (rows, nulls) and of a `Buffer` (offset, length). */
const PAIR_BYTES = 16

/** The size of a count of variadic buffers. */
const COUNT_BYTES = 8

/** The number of buffers of an array, with that of its validity. Arrays of views have variadic buffers besides. */
const BUFFERS: Readonly<Record<ForeignLayout['layout'], number>> = Object.freeze({
  null: 0,
  bool: 2,
  fixed: 2,
  binary: 3,
  utf8: 3,
  large_binary: 3,
  large_utf8: 3,
  binary_view: 2,
  utf8_view: 2,
  list: 2,
  large_list: 2,
  fixed_list: 1,
  struct: 1,
  dictionary: 2,
})

/**
 * Reads the header of a record batch: assigns nodes and buffers, which stand in the order of the schema, to the arrays of its
 * columns. Throws `unreadable_file` for a header that does not fit the schema or refers to bytes outside of the body.
 */
export function readRecordBatch({ header, body }: StoredBatch, storages: readonly Storage[]): RecordBatch {
  const rows = Number(readLong(header, 0))
  if (!(rows >= 0 && rows <= MAX_ROWS)) throw fault(`it claims ${rows} rows`)
  const nodes = readStructs(header, 1, PAIR_BYTES)
  const buffers = readStructs(header, 2, PAIR_BYTES)
  const viewCounts = readStructs(header, 4, COUNT_BYTES)
  const next = { node: 0, buffer: 0, viewCount: 0 }

  const take = (storage: Storage): StoredArray => {
    if (next.node >= nodes.count) throw fault(`it has ${nodes.count} arrays, less than its schema`)
    const length = nodes.int64(next.node, 0)
    const nulls = nodes.int64(next.node++, 8)
    if (!(length >= 0 && length <= MAX_ROWS && nulls >= -1 && nulls <= length))
      throw fault(`an array claims ${length} rows of which ${nulls} are null`)
    const layout = storage.dictionary === null ? storage.layout.layout : 'dictionary'
    const views = layout.endsWith('view') ? takeViewCount() : 0
    return {
      storage,
      rows: length,
      nulls: nulls < 0 ? null : nulls,
      buffers: Array.from({ length: BUFFERS[layout] + views }, takeBuffer),
      children: layout === 'dictionary' ? [] : storage.children.map(take),
    }
  }
  const takeViewCount = (): number => {
    const count = next.viewCount < viewCounts.count ? viewCounts.int64(next.viewCount++, 0) : 0
    if (!(count >= 0 && count <= buffers.count)) throw fault(`an array of views claims ${count} buffers`)
    return count
  }
  const takeBuffer = (): Range => {
    if (next.buffer >= buffers.count)
      throw fault(`it has ${buffers.count} buffers, less than its schema needs`)
    const offset = buffers.int64(next.buffer, 0)
    const length = buffers.int64(next.buffer++, 8)
    if (!(offset >= 0 && length >= 0 && offset + length <= body.length))
      throw fault(`a buffer claims ${length} bytes at ${offset} of ${body.length}`)
    return { offset: body.offset + offset, length }
  }

  const arrays = storages.map((storage) => {
    const array = take(storage)
    if (array.rows !== rows) throw fault(`a column has ${array.rows} rows where the batch has ${rows}`)
    return array
  })
  if (next.node !== nodes.count || next.buffer !== buffers.count)
    throw fault('it has more arrays or buffers than its schema')
  return { rows, codec: readCodec(readTable(header, 3)), arrays }
}

function readCodec(compression: Table | null): Codec | null {
  if (compression === null) return null
  const [codec, method] = [readByte(compression, 0), readByte(compression, 1)]
  const supportedCodec = CODECS[codec]
  if (supportedCodec === undefined || method !== 0)
    throw fault(`it is compressed with codec ${codec} by method ${method}, which is not supported`)
  return supportedCodec
}

/** What an array takes in the file, in bytes. */
export function storedBytes({ buffers, children }: StoredArray): number {
  const bufferBytes = buffers.reduce((sum, { length }) => sum + length, 0)
  return children.reduce((sum, child) => sum + storedBytes(child), bufferBytes)
}

/** What a text of unknown length is estimated at, in bytes: a word or a code. */
const TYPICAL_TEXT_BYTES = 16

/** What compressed text is estimated to inflate to, as a multiple of its bytes. Few texts compress better. */
const TEXT_RATIO = 4

/** The size of a dictionary index in the core, whatever it is in the file. */
const DICTIONARY_INDEX_BYTES = 4

/** An estimate of what an array takes in the core, in bytes: inflated, and with nested dictionaries replaced by values. */
export function decodedBytes(array: StoredArray, codec: Codec | null): number {
  const { storage, rows, buffers, children } = array
  const isText = storage.layout.shape === 'utf8' || storage.layout.shape === 'binary'
  if (storage.type.kind === 'dictionary') return rows * DICTIONARY_INDEX_BYTES
  if (storage.dictionary !== null) return rows * (rowWidth(storage.type) + (isText ? TYPICAL_TEXT_BYTES : 0))
  const bufferBytes =
    codec === null
      ? buffers.reduce((sum, { length }) => sum + length, 0)
      : rows / 8 + (children.length > 0 ? 4 * rows : rows * rowWidth(storage.type))
  const text = codec !== null && isText ? TEXT_RATIO * storedBytes(array) : 0
  return Math.ceil(children.reduce((sum, child) => sum + decodedBytes(child, codec), bufferBytes + text))
}
