import { ServiceError } from '../../../../plan/errors.ts'

/**
 * The primitives of Thrift's compact protocol (thrift-compact-protocol.md of Apache Thrift). What comes in is untrusted:
 * every length is checked against the bytes that are left before it is used.
 */
export interface Input {
  readonly bytes: Uint8Array
  at: number
}

export interface Output {
  bytes: Uint8Array
  at: number
}

/** The types of values on the wire. A boolean field is its own type; in a list both are a byte. */
export const Wire = Object.freeze({
  true: 1,
  false: 2,
  i8: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
})

/** Deeper than any field of parquet.thrift, so that a skipped field cannot exhaust the stack. */
const MAX_DEPTH = 32

/** Passes over a value of type `wire`, `depth` levels below the value that was begun with. */
export function skip(input: Input, wire: number, depth: number): void {
  if (depth > MAX_DEPTH) throw fault(`fields nested deeper than ${MAX_DEPTH}`)
  switch (wire) {
    case Wire.true:
    case Wire.false:
      break
    case Wire.i8:
      advance(input, 1)
      break
    case Wire.i16:
    case Wire.i32:
    case Wire.i64:
      while (readByte(input) > 127);
      break
    case Wire.double:
      advance(input, 8)
      break
    case Wire.binary:
      advance(input, readVarint(input))
      break
    case Wire.list:
    case Wire.set: {
      const { length, wire: item } = readListHeader(input)
      for (let i = 0; i < length; i++) skipElement(input, item, depth + 1)
      break
    }
    case Wire.map: {
      const length = readVarint(input)
      const types = length === 0 ? 0 : readByte(input)
      for (let i = 0; i < length; i++) {
        skipElement(input, types >> 4, depth + 1)
        skipElement(input, types & 15, depth + 1)
      }
      break
    }
    case Wire.struct:
      for (;;) {
        const header = readByte(input)
        if (header === 0) break
        if (header >> 4 === 0) readVarint(input)
        skip(input, header & 15, depth + 1)
      }
      break
    default:
      throw fault(`type ${wire} does not exist`)
  }
}

/** Booleans take a byte in a list or map, so every element takes one at least and a false length ends soon. */
function skipElement(input: Input, wire: number, depth: number): void {
  skip(input, wire === Wire.true || wire === Wire.false ? Wire.i8 : wire, depth)
}

/** Elements of a list, each of which takes a byte at least, and their type. */
export function readListHeader(input: Input): { length: number; wire: number } {
  const header = readByte(input)
  const length = header >> 4 === 15 ? readVarint(input) : header >> 4
  if (length > input.bytes.length - input.at)
    throw fault(`a list of ${length} elements where less bytes follow`)
  return { length, wire: header & 15 }
}

/** Unsigned LEB128 of at most 2⁵³ (exact in a double; larger ones lose bits that no caller may use). */
export function readVarint(input: Input): number {
  let value = 0
  for (let scale = 1; scale < 2 ** 70; scale *= 128) {
    const byte = readByte(input)
    value += (byte & 127) * scale
    if (byte < 128) return value
  }
  throw fault('an integer longer than 64 bits')
}

export function readByte(input: Input): number {
  const byte = input.bytes[input.at++]
  if (byte === undefined) throw fault('ends in the middle of a field')
  return byte
}

/** Passes over `length` bytes, if there are so many. */
export function advance(input: Input, length: number): void {
  if (length > input.bytes.length - input.at) throw fault(`a length of ${length} where less bytes follow`)
  input.at += length
}

export function writeVarint(output: Output, value: number): void {
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) writeByte(output, (rest % 128) | 128)
  writeByte(output, rest)
}

export function writeByte(output: Output, byte: number): void {
  reserve(output, 1)
  output.bytes[output.at++] = byte
}

export function append(output: Output, bytes: Uint8Array): void {
  reserve(output, bytes.length)
  output.bytes.set(bytes, output.at)
  output.at += bytes.length
}

function reserve(output: Output, length: number): void {
  if (output.at + length <= output.bytes.length) return
  const grown = new Uint8Array(Math.max(output.bytes.length * 2, output.at + length))
  grown.set(output.bytes.subarray(0, output.at))
  output.bytes = grown
}

export function fault(what: string): ServiceError {
  return new ServiceError('unreadable_file', `damaged Thrift metadata: ${what}`)
}
