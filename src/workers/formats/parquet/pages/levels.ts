import { ServiceError } from '../../../../plan/errors.ts'
import { isInflated } from '../metadata/codecs.ts'
import { Encoding } from '../metadata/metadata.ts'
import { inflatePage, type Page } from './pages.ts'
import { inflatePrefix } from './prefix.ts'

/** How many records begin in a page, and whether one begins with its first value. */
export interface Records {
  readonly count: number
  readonly startsOnRecord: boolean
}

/**
 * Counts the records that begin in a V1 data page: values whose repetition level is 0. Null: its levels cannot be read here,
 * because of the codec of the page, or because they are BIT_PACKED, which writers gave up before version 1.0 of parquet-mr.
 * Throws `unreadable_file`.
 */
export function countRecords(page: Page, codec: number, maxRepetition: number): Records | null {
  const { dataPage } = page.header
  if (dataPage === undefined || dataPage.repetitionLevelEncoding !== Encoding.rle) return null
  if (isInflated(codec)) return countIn(inflatePage(page, codec).body, dataPage.values, maxRepetition)
  const { uncompressedSize } = page.header
  const size = inflatePrefix(codec, page.body, Math.min(4, uncompressedSize))
  if (size === null) return null
  const levels = inflatePrefix(codec, page.body, Math.min(4 + sizeOf(size), uncompressedSize))
  return levels && countIn(levels, dataPage.values, maxRepetition)
}

/** Counts the records of an inflated page. It begins with the length of its repetition levels, and these follow. */
function countIn(body: Uint8Array, values: number, maxRepetition: number): Records {
  const size = sizeOf(body)
  if (size > body.length - 4) throw fault()
  return countZeros(body.subarray(4, 4 + size), 32 - Math.clz32(maxRepetition), values)
}

function sizeOf(levels: Uint8Array): number {
  if (levels.length < 4) throw fault()
  return new DataView(levels.buffer, levels.byteOffset).getUint32(0, true)
}

/**
 * Counts the zeros among `values` values in the RLE/bit-packing hybrid (Encodings.md of apache/parquet-format), and tells
 * whether the first value is one.
 */
function countZeros(bytes: Uint8Array, bitWidth: number, values: number): Records {
  let count = 0
  let startsOnRecord = values === 0
  let at = 0
  for (let done = 0; done < values; ) {
    let header = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]
      if (byte === undefined || scale > 2 ** 28) throw fault()
      header += (byte & 127) * scale
      if (byte < 128) break
    }
    const isPacked = header % 2 === 1
    const run = Math.min(Math.floor(header / 2) * (isPacked ? 8 : 1), values - done)
    if (run === 0) throw fault()
    if (isPacked) {
      for (let i = 0; i < run; i++) {
        const isZero = bitsAt(bytes, at, i * bitWidth, bitWidth) === 0
        if (isZero) count++
        if (done + i === 0) startsOnRecord = isZero
      }
      at += Math.floor(header / 2) * bitWidth
    } else {
      // A repetition level fits into a byte, because a schema has at most 64 levels (schema-tree.ts).
      const isZero = bytes[at++] === 0
      if (isZero) count += run
      if (done === 0) startsOnRecord = isZero
    }
    done += run
  }
  return { count, startsOnRecord }
}

function bitsAt(bytes: Uint8Array, start: number, bit: number, width: number): number {
  const at = start + (bit >> 3)
  const low = bytes[at]
  if (low === undefined) throw fault()
  return ((low | ((bytes[at + 1] ?? 0) << 8)) >> (bit & 7)) & ((1 << width) - 1)
}

function fault(): ServiceError {
  return new ServiceError('unreadable_file', 'the levels of a page are damaged')
}
