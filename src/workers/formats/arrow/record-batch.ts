import { rowWidth } from '../../../plan/types/row-width.ts'
import type { ForeignLayout } from '../../../wasm/core/layout.ts'
import type { Range } from '../read-ranges.ts'
import { readByte, readLong, readStructs, readTable, type Table } from './flatbuffer.ts'
import { fault, type StoredBatch } from './message.ts'
import type { Storage } from './storage.ts'

/** A record batch by its header, every number of which has been checked. */
export interface RecordBatch {
  readonly rows: number
  readonly codec: Codec | null
  /** Of each column. */
  readonly arrays: readonly StoredArray[]
}

export type Codec = 'lz4' | 'zstd'

/** An array in a batch, and where its buffers lie in the file. */
export interface StoredArray {
  readonly storage: Storage
  readonly rows: number
  /** Null: the writer has not counted. */
  readonly nulls: number | null
  readonly buffers: readonly Range[]
  /** None of a dictionary's. */
  readonly children: readonly StoredArray[]
}

/** `CompressionType` of Message.fbs. */
const CODECS: readonly Codec[] = ['lz4', 'zstd']

/** As many as the core holds. */
const MAX_ROWS = 2 ** 31 - 1

/** Bytes of a `FieldNode` (rows, nulls), of a `Buffer` (offset, length) and of a count of buffers. */
const PAIR_BYTES = 16
const COUNT_BYTES = 8

/** Buffers of an array, its validity included; views have more of them. */
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

/** Gives each array its node and its buffers, which lie in the order of the schema. */
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
  const known = CODECS[codec]
  if (known === undefined || method !== 0)
    throw fault(`it is compressed with codec ${codec} by method ${method}, which is not supported`)
  return known
}

/** Bytes of an array in the file. */
export function storedBytes({ buffers, children }: StoredArray): number {
  const own = buffers.reduce((sum, { length }) => sum + length, 0)
  return children.reduce((sum, child) => sum + storedBytes(child), own)
}

/** Text of unknown length: a word or a code. Bytes. */
const TYPICAL_TEXT_BYTES = 16

/** How much text shrinks at best, as a rule. */
const TEXT_RATIO = 4

/** The core's own indices, whatever the file's. */
const DICTIONARY_INDEX_BYTES = 4

/** Estimated bytes of an array once it is inflated and its nested dictionaries are resolved. */
export function decodedBytes(array: StoredArray, codec: Codec | null): number {
  const { storage, rows, buffers, children } = array
  const isText = storage.layout.shape === 'utf8' || storage.layout.shape === 'binary'
  if (storage.type.kind === 'dictionary') return rows * DICTIONARY_INDEX_BYTES
  if (storage.dictionary !== null) return rows * (rowWidth(storage.type) + (isText ? TYPICAL_TEXT_BYTES : 0))
  const own =
    codec === null
      ? buffers.reduce((sum, { length }) => sum + length, 0)
      : rows / 8 + (children.length > 0 ? 4 * rows : rows * rowWidth(storage.type))
  const text = codec !== null && isText ? TEXT_RATIO * storedBytes(array) : 0
  return Math.ceil(children.reduce((sum, child) => sum + decodedBytes(child, codec), own + text))
}
