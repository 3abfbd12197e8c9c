import { isUtf8 } from 'node:buffer'
import { readLong, readStructs, readTable } from '../../../plan/arrow/read-flatbuffer.ts'
import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { rowWidth } from '../../../plan/types/row-width.ts'
import type { DataType, Schema } from '../../../plan/types/schema.ts'
import type { ArrowMessage } from './arrow-messages.ts'

/** What is known of a record batch that was checked. */
export interface CheckedBatch {
  readonly rows: number
  /** Whether its body is compressed. Then only its header was checked. */
  readonly isCompressed: boolean
}

/** The most rows of a batch. Services of this kind send 65 536. */
const MOST_ROWS = 1 << 24

/** The size of a `FieldNode` (rows, nulls) and of a `Buffer` (offset, length), and of an offset of text. */
const PAIR_BYTES = 16
const OFFSET_BYTES = 4

/**
 * Checks a record batch that is passed on as it came: the header fits the schema, buffers lie in the body and are long enough for the rows,
 * offsets ascend, and text is UTF-8. Throws `remote_refused`. Columns are neither nested nor dictionaries.
 * @param relation Where the rows are from, for messages.
 */
export function checkBatch(message: ArrowMessage, { fields }: Schema, relation: string): CheckedBatch {
  try {
    return check(message, fields)
  } catch (error) {
    if (error instanceof RangeError || (isServiceError(error) && error.code === 'unreadable_file'))
      throw new ServiceError(
        'remote_refused',
        `The rows of ${JSON.stringify(relation)}, which another service has sent, cannot be read: ${error.message}`,
        { cause: error },
      )
    throw error
  }
}

function check({ header, bytes, metadataBytes }: ArrowMessage, fields: Schema['fields']): CheckedBatch {
  const body = new Uint8Array(bytes, metadataBytes)
  const rows = Number(readLong(header, 0))
  if (!(rows >= 0 && rows <= MOST_ROWS)) throw fault(`a batch claims ${rows} rows`)
  const nodes = readStructs(header, 1, PAIR_BYTES)
  const buffers = readStructs(header, 2, PAIR_BYTES)
  const isCompressed = readTable(header, 3) !== null
  if (nodes.count !== fields.length)
    throw fault(`a batch has ${nodes.count} columns, and not ${fields.length}`)
  let place = 0
  const next = (): Uint8Array => {
    const offset = buffers.int64(place, 0)
    const length = buffers.int64(place++, 8)
    if (!(offset >= 0 && length >= 0 && offset + length <= body.length && offset % 8 === 0))
      throw fault(`a buffer claims ${length} bytes at ${offset} of ${body.length}`)
    return body.subarray(offset, offset + length)
  }
  for (const [index, { type }] of fields.entries()) {
    const nulls = nodes.int64(index, 8)
    if (nodes.int64(index, 0) !== rows) throw fault('a column has other rows than its batch')
    if (!(nulls >= 0 && nulls <= rows)) throw fault(`a column claims ${nulls} nulls of ${rows} rows`)
    if (type.kind === 'null') continue
    const validity = next()
    const values = next()
    const isText = type.kind === 'utf8' || type.kind === 'binary'
    const texts = isText ? next() : null
    if (isCompressed) continue
    checkValidity(validity, rows, nulls)
    if (texts !== null) checkTexts(values, texts, rows, type)
    else if (values.length < Math.ceil(rows * rowWidth(type)))
      throw fault(`${values.length} bytes are too few for ${rows} rows`)
  }
  if (place !== buffers.count) throw fault(`a batch has ${buffers.count} buffers, and not ${place}`)
  return { rows, isCompressed }
}

/** Validity may be left out where there are no nulls. */
function checkValidity(validity: Uint8Array, rows: number, nulls: number): void {
  if (validity.length === 0 && nulls === 0) return
  if (validity.length < Math.ceil(rows / 8)) throw fault(`${validity.length} bytes are too few to tell nulls`)
  let set = 0
  const wholeBytes = rows >> 3
  for (let at = 0; at < wholeBytes; at++) set += BITS[validity[at] ?? 0] ?? 0
  if (rows % 8 !== 0) set += BITS[(validity[wholeBytes] ?? 0) & ((1 << (rows % 8)) - 1)] ?? 0
  if (rows - set !== nulls) throw fault(`a column claims ${nulls} nulls, and has ${rows - set}`)
}

/** How many bits of a byte are set. */
const BITS = Uint8Array.from({ length: 256 }, (_, byte) => {
  let bits = 0
  for (let rest = byte; rest > 0; rest >>= 1) bits += rest & 1
  return bits
})

function checkTexts(offsets: Uint8Array, texts: Uint8Array, rows: number, { kind }: DataType): void {
  if (rows === 0) return
  if (offsets.length < (rows + 1) * OFFSET_BYTES) throw fault('offsets of text are too few')
  // Buffers begin at multiples of 8 bytes, as bodies do.
  const ends = new Int32Array(offsets.buffer, offsets.byteOffset, rows + 1)
  const [first = -1] = ends
  let last = first
  let isSplit = false
  for (let row = 1; row <= rows; row++) {
    const end = ends[row] ?? -1
    if (end < last) throw fault('offsets of text descend')
    last = end
    // Only the first byte of a character is none of those that follow one (10xxxxxx).
    if (((texts[end] ?? 0) & 0xc0) === 0x80) isSplit = true
  }
  if (first < 0 || last > texts.length) throw fault('text lies outside of its buffer')
  if (kind !== 'utf8') return
  if (isSplit && ends.subarray(0, rows).some((end) => end < last && ((texts[end] ?? 0) & 0xc0) === 0x80))
    throw fault('text begins within a character')
  if (!isUtf8(texts.subarray(first, last))) throw fault('text is no UTF-8')
}

function fault(what: string): RangeError {
  return new RangeError(what)
}
