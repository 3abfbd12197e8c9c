/** The most bytes of the body of a packet. One of so many goes on in the next packet. */
export const MOST_BODY = 0xff_ffff

/** The length of a body in three bytes, and the number of the packet. */
export const HEAD_BYTES = 4

/** What packets begin with that are no rows. */
export const OK = 0x00
export const MORE_DATA = 0x01
export const LOCAL_FILE = 0xfb
export const END = 0xfe
export const ERROR = 0xff

/** An end has fewer bytes than so many: a row of text may begin likewise. */
export const MOST_END_BYTES = 8

/** The length that stands for a null in a row of text. */
const NULL = 0xfb

/** Reads a body from its first byte on. Each call throws a `RangeError` where the body ends before. */
export interface BodyReader {
  uint(bytes: 1 | 2 | 3 | 4): number
  bytes(count: number): Buffer
  /** Up to a zero, which is skipped. */
  textToZero(): string
  /** Bytes behind their length. Null: null. */
  measured(): Buffer | null
  /** A length, or a number in its form. */
  length(): number
  readonly remaining: number
}

export function readBody(body: Buffer): BodyReader {
  let at = 0
  const take = (count: number): number => {
    if (count > body.length - at) throw new RangeError('a packet ends too soon')
    at += count
    return at - count
  }
  const reader: BodyReader = {
    uint: (bytes) => body.readUIntLE(take(bytes), bytes),
    bytes(count) {
      const from = take(count)
      return body.subarray(from, at)
    },
    textToZero() {
      const end = body.indexOf(0, at)
      if (end < 0) throw new RangeError('a text has no end')
      const text = body.toString('utf8', at, end)
      at = end + 1
      return text
    },
    measured() {
      if (body[at] !== NULL) return reader.bytes(reader.length())
      at++
      return null
    },
    length() {
      const first = reader.uint(1)
      if (first < NULL) return first
      if (first === 0xfc) return reader.uint(2)
      if (first === 0xfd) return reader.uint(3)
      const from = take(8)
      const length = body.readUInt32LE(from)
      if (first !== 0xfe || body.readUInt32LE(from + 4) !== 0) throw new RangeError('a length is none')
      return length
    },
    get remaining() {
      return body.length - at
    },
  }
  return reader
}

/** Bytes behind their length. They are fewer than 65 536. */
export function measure(bytes: Uint8Array): Buffer {
  const head = bytes.length < NULL ? [bytes.length] : [0xfc, bytes.length & 0xff, bytes.length >> 8]
  return Buffer.concat([Buffer.from(head), bytes])
}

/** A body as packets, the first of which has this number. */
export function packetsOf(body: Uint8Array, first: number): Buffer {
  const parts: Uint8Array[] = []
  for (let from = 0, number = first; ; from += MOST_BODY, number++) {
    const part = body.subarray(from, from + MOST_BODY)
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUIntLE(part.length, 0, 3)
    head[3] = number & 0xff
    parts.push(head, part)
    if (part.length < MOST_BODY) return Buffer.concat(parts)
  }
}
