import { ServiceError } from '../../../../plan/errors.ts'

/**
 * Bytes in Thrift's compact protocol, and the position of the next one. This file has the primitives of the protocol
 * (thrift-compact-protocol.md of Apache Thrift). Input is untrusted: every length is checked against the bytes that are left
 * before it is used.
 */
export interface Input {
  readonly bytes: Uint8Array
  at: number
}

export interface Output {
  bytes: Uint8Array
  at: number
}

/** The type codes of the protocol. The type of a boolean field is its value; an element of a list is a byte. */
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

/** The deepest nesting of a skipped field: more than parquet.thrift has, and too little to exhaust the stack. */
const MAX_DEPTH = 32

/** Skips a value of type `wire`. `depth` counts the values that it is nested in and that are being skipped. */
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

/** Skips an element of a list or map. Each takes at least a byte, booleans too, so a false length soon exceeds the input. */
function skipElement(input: Input, wire: number, depth: number): void {
  skip(input, wire === Wire.true || wire === Wire.false ? Wire.i8 : wire, depth)
}

/** The number and type of a list's elements. Each takes at least a byte, so there are no more than bytes left. */
export function readListHeader(input: Input): { length: number; wire: number } {
  const header = readByte(input)
  const length = header >> 4 === 15 ? readVarint(input) : header >> 4
  if (length > input.bytes.length - input.at)
    throw fault(`a list of ${length} elements where less bytes follow`)
  return { length, wire: header & 15 }
}

/** Reads unsigned LEB128. Beyond 2⁵³ the result is inexact; callers refuse such values. */
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

/** Skips `length` bytes. Throws `unreadable_file` if there are fewer. */
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
