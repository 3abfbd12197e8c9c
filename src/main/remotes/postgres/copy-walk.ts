import type { CopyBlock, CopyFoot } from '../../../plan/copy/copy-file.ts'
import { freeMemory } from '../../../plan/free-memory.ts'
import type { DataType, Field } from '../../../plan/types/schema.ts'

/** Follows the bytes of `COPY … (FORMAT binary)` as they come, from length to length. Values are not read, except for infinite times. */
export interface CopyWalk {
  /** Throws what `refuse` throws if the bytes are no rows with these fields. Keeps none of their memory. */
  feed(chunk: Uint8Array): void
  /** The blocks, after the last bytes. Throws if the end has not come. */
  finish(): CopyFoot
}

/** What the data begins with: a signature, 32 bits of flags, and the length of more, which is rest out. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const HEAD_BYTES = SIGNATURE.length + 8

/** Flags from this bit on have to be understood. None is. */
const CRITICAL_FLAGS = 0xffff_0000

/** The number of fields that stands at the end, and the length that stands before a null. */
const END = -1
const NULL = -1

/** A block has at least so many bytes, if there are so many. */
const BLOCK_BYTES = 4 << 20

/** @param refuse Throws an error about what was sent. */
export function createCopyWalk(fields: readonly Field[], refuse: (what: string) => never): CopyWalk {
  const widths = fields.map(({ type }) => widthOf(type))
  const areTimes = fields.map(({ type: { kind } }) => kind === 'timestamp' || kind === 'date')
  const blocks: CopyBlock[] = []
  let rest: Uint8Array = new Uint8Array(0)
  /** Bytes before `rest`. */
  let before = 0
  let skipped = 0
  let isBegun = false
  let isEnded = false
  /** The field of a row that is next. */
  let field = fields.length
  let rows = 0
  let blockStart = 0
  let sizes = fields.map(() => 0)

  function begin(bytes: Buffer): number {
    if (bytes.length < HEAD_BYTES) return 0
    if (!SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length)))
      return refuse('has sent rows without their signature')
    if ((bytes.readUInt32BE(SIGNATURE.length) & CRITICAL_FLAGS) !== 0)
      return refuse('has sent rows in a form that is not known')
    skipped = bytes.readUInt32BE(SIGNATURE.length + 4)
    isBegun = true
    blockStart = HEAD_BYTES + skipped
    return HEAD_BYTES
  }

  function endBlock(end: number): void {
    if (rows > 0) blocks.push({ offset: blockStart, end, rows, bytes: sizes })
    rows = 0
    blockStart = end
    sizes = fields.map(() => 0)
  }

  return {
    feed(chunk) {
      const view =
        rest.byteLength === 0
          ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
          : Buffer.concat([rest, chunk])
      const { length } = view
      let at = isBegun ? 0 : begin(view)
      while (isBegun) {
        if (skipped > 0) {
          const here = Math.min(skipped, length - at)
          at += here
          skipped -= here
          if (skipped > 0) break
        }
        if (isEnded) {
          if (at < length) refuse('has sent more behind the last row')
          break
        }
        if (field === fields.length) {
          if (length - at < 2) break
          const count = view.readInt16BE(at)
          if (count === END) {
            isEnded = true
            at += 2
            continue
          }
          if (count !== fields.length)
            refuse(`has sent a row of ${count} fields where ${fields.length} are expected`)
          if (before + at - blockStart >= BLOCK_BYTES) endBlock(before + at)
          rows++
          field = 0
          at += 2
        }
        while (field < fields.length && length - at >= 4) {
          const size = view.readInt32BE(at)
          if (size === NULL) {
            at += 4
            field++
            continue
          }
          const width = widths[field] ?? 0
          if (size < 0 || (width > 0 && size !== width))
            refuse(`has sent a value of ${size} bytes in the column ${nameOf(field)}`)
          if (areTimes[field] === true) {
            if (length - at < 4 + size) break
            requireFinite(view, at + 4, size, field)
          }
          sizes[field] = (sizes[field] ?? 0) + size
          at += 4
          field++
          if (size > length - at) {
            skipped = size - (length - at)
            at = length
            break
          }
          at += size
        }
        if (skipped > 0 || (field < fields.length && at <= length)) break
      }
      rest = Buffer.from(view.subarray(at))
      before += at
      if (view.buffer !== chunk.buffer) freeMemory(view)
    },
    finish() {
      if (!isEnded || rest.byteLength > 0) refuse('has sent rows without an end')
      endBlock(before - 2)
      return { blocks }
    },
  }

  function nameOf(index: number): string {
    return JSON.stringify(fields[index]?.name)
  }

  function requireFinite(view: Buffer, at: number, size: number, index: number): void {
    const first = view[at]
    if (first !== 0x7f && first !== 0x80) return
    const value = size === 8 ? view.readBigInt64BE(at) : BigInt(view.readInt32BE(at))
    const [least, most, latest] = size === 8 ? TIMES : DATES
    if (value === least || value === most)
      refuse(
        `has an infinite time in the column ${nameOf(index)}; leave the column out, or read a view there that has other values`,
      )
    if (value > latest)
      refuse(`has a time in the column ${nameOf(index)} that is later than 64 bits of microseconds reach`)
  }
}

/** The two infinite times, and the latest one that has a place here, where time begins in 1970 instead of 2000. */
const TIMES = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 63n - 1n - 946_684_800_000_000n] as const
const DATES = [-(2n ** 31n), 2n ** 31n - 1n, 2n ** 31n - 1n - 10_957n] as const

/** The bytes of each value. 0: they may be any number. */
function widthOf(type: DataType): number {
  switch (type.kind) {
    case 'bool':
      return 1
    case 'int':
    case 'float':
      return type.bits / 8
    case 'date':
      return 4
    case 'time':
    case 'timestamp':
      return 8
    case 'interval':
    case 'uuid':
      return 16
    default:
      return 0
  }
}
