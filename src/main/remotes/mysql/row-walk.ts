import type { CopyBlock, CopyFoot } from '../../../plan/copy/copy-file.ts'
import { freeMemory } from '../../../plan/free-memory.ts'
import type { DataType, Field } from '../../../plan/types/schema.ts'
import { joinHead } from '../databases/join-head.ts'
import { HEAD_BYTES, MOST_BODY } from './packet.ts'

/**
 * Follows packets of rows as they come, from length to length. The head of each becomes the length of its row in four bytes: the number of
 * the packet gives way. Values are not read.
 */
export interface RowWalk {
  /**
   * Takes bytes, which it alters, and gives those of rows, then frees their memory. Left to the garbage collector, tens of megabytes would
   * wait for it. Throws what `refuse` throws if packets have not the right numbers.
   */
  feed(bytes: Buffer): Generator<Buffer, void>
  /** The packet that is no row, and what is behind it, as soon as there is one. */
  readonly end: Readonly<{ bytes: Buffer; number: number }> | null
  /** The blocks, after the last row. */
  finish(): CopyFoot
}

/** What each row begins with. */
const ROW = 0

/** A block has at least so many bytes, if there are so many. */
const BLOCK_BYTES = 4 << 20

/** The most bytes of a row: the core has a block of rows in its memory. */
const MOST_ROW_BYTES = 256 << 20

/**
 * @param number That of the first packet.
 * @param refuse Throws an error about what was sent.
 */
export function createRowWalk(
  fields: readonly Field[],
  number: number,
  refuse: (what: string) => never,
): RowWalk {
  const blocks: CopyBlock[] = []
  let next = number
  /** Bytes of a packet of which not all have come. */
  let remaining = 0
  let head: Buffer = Buffer.alloc(0)
  /** The parts of a row of several packets, and whether another packet belongs to it. */
  let long: { readonly parts: Buffer[]; bytes: number; goesOn: boolean } | null = null
  let end: RowWalk['end'] = null
  /** Bytes given so far, and those of the block. */
  let given = 0
  let blockStart = 0
  let rows = 0

  function endBlock(): void {
    if (rows > 0)
      blocks.push({ offset: blockStart, end: given, rows, bytes: shares(fields, given - blockStart, rows) })
    blockStart = given
    rows = 0
  }

  return {
    *feed(received) {
      const bytes = joinHead(head, received)
      head = Buffer.alloc(0)
      const out: Buffer[] = []
      let from = 0
      let at = 0
      const give = (part: Buffer): void => {
        if (part.length > 0) out.push(part)
      }
      while (at < bytes.length) {
        if (remaining > 0) {
          const here = Math.min(remaining, bytes.length - at)
          if (long !== null) {
            long.parts.push(Buffer.from(bytes.subarray(at, at + here)))
            from = at + here
          }
          at += here
          remaining -= here
          if (remaining === 0 && long !== null && !long.goesOn) endLong(give)
          continue
        }
        const isLater = long !== null
        const available = bytes.length - at
        const length = available < HEAD_BYTES ? 0 : bytes.readUIntLE(at, 3)
        // The first byte of a body tells whether it is a row.
        if (available < HEAD_BYTES || (available === HEAD_BYTES && length > 0 && !isLater)) {
          head = Buffer.from(bytes.subarray(at))
          break
        }
        if (!isLater && (length === 0 || bytes[at + HEAD_BYTES] !== ROW)) {
          end = { bytes: Buffer.from(bytes.subarray(at)), number: next }
          break
        }
        if (bytes[at + 3] !== next) refuse('has sent what is no packet of MySQL')
        next = (next + 1) & 0xff
        if (!isLater) {
          if (given - blockStart >= BLOCK_BYTES) endBlock()
          rows++
        }
        if (isLater || length === MOST_BODY) {
          if (!isLater) give(bytes.subarray(from, at))
          long ??= { parts: [], bytes: 0, goesOn: true }
          long.bytes += length
          long.goesOn = length === MOST_BODY
          if (long.bytes > MOST_ROW_BYTES) refuse(`has sent a row of more than ${MOST_ROW_BYTES} bytes`)
          from = at + HEAD_BYTES
          if (length === 0) endLong(give)
        } else {
          // The length goes on into the place of the number.
          bytes[at + 3] = 0
          given += HEAD_BYTES + length
        }
        remaining = length
        at += HEAD_BYTES
      }
      give(bytes.subarray(from, at))
      yield* out
      freeMemory(bytes)
    },
    get end() {
      return end
    },
    finish() {
      endBlock()
      return { blocks }
    },
  }

  function endLong(give: (part: Buffer) => void): void {
    if (long === null) return
    const length = Buffer.alloc(HEAD_BYTES)
    length.writeUInt32LE(long.bytes)
    give(length)
    for (const part of long.parts) give(part)
    given += HEAD_BYTES + long.bytes
    long = null
  }
}

/** About how many bytes the values of each column have: those of any length share what the others leave. */
function shares(fields: readonly Field[], bytes: number, rows: number): readonly number[] {
  const widths = fields.map(({ type }) => widthOf(type) * rows)
  const others = widths.filter((width) => width === 0).length
  const rest = Math.max(0, bytes - widths.reduce((sum, width) => sum + width, 0))
  return widths.map((width) => width || Math.ceil(rest / others))
}

/** The bytes of each value, or at most so many. 0: they may be any number. */
function widthOf(type: DataType): number {
  switch (type.kind) {
    case 'int':
    case 'float':
      return type.bits / 8
    case 'date':
      return 5
    case 'timestamp':
      return 12
    default:
      return 0
  }
}
