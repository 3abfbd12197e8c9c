import { fault } from '../fault.ts'

/** How many bytes the numbers of a file have. They are little-endian. */
export interface NumberSizes {
  /** Bytes of an address. */
  readonly addressBytes: number
  /** Bytes of a length. */
  readonly lengthBytes: number
}

/** Reads a structure from its beginning on. Each call throws `unreadable_file` if the structure ends before. */
export interface Cursor {
  /** The bytes that were taken so far. */
  readonly position: number
  readonly left: number
  /** A number of 1 to 8 bytes. Throws `unreadable_file` beyond 2^53: no file has so many of anything. */
  uint(bytes: number): number
  /** Null: the address is not defined. */
  address(): number | null
  length(): number
  /** A view of the next bytes. */
  take(bytes: number): Uint8Array
  skip(bytes: number): void
  /** A view of the bytes before the next zero, which is taken too. */
  untilZero(): Uint8Array
  /** Throws `unreadable_file` unless the next bytes are this ASCII text. */
  signature(expected: string): void
  /** Throws `unreadable_file` unless the next byte is this version. */
  version(expected: number, what: string): void
}

export function createCursor(view: DataView, sizes: NumberSizes): Cursor {
  let position = 0

  function advance(bytes: number): number {
    if (!(bytes >= 0 && bytes <= view.byteLength - position))
      throw fault(`a structure of ${view.byteLength} bytes goes on for ${bytes} bytes at ${position}`)
    position += bytes
    return position - bytes
  }

  function uint(bytes: number): number {
    return uintAt(view, advance(bytes), bytes)
  }

  function take(bytes: number): Uint8Array {
    return new Uint8Array(view.buffer, view.byteOffset + advance(bytes), bytes)
  }

  return {
    get position() {
      return position
    },
    get left() {
      return view.byteLength - position
    },
    uint,
    address: () => addressAt(view, advance(sizes.addressBytes), sizes.addressBytes),
    length: () => uint(sizes.lengthBytes),
    take,
    skip(bytes) {
      advance(bytes)
    },
    untilZero() {
      const rest = new Uint8Array(view.buffer, view.byteOffset + position, view.byteLength - position)
      const length = rest.indexOf(0)
      if (length < 0) throw fault(`a name does not end in a structure of ${view.byteLength} bytes`)
      advance(length + 1)
      return rest.subarray(0, length)
    },
    signature(expected) {
      const found = Buffer.from(take(expected.length)).toString('latin1')
      if (found !== expected)
        throw fault(`a structure begins with ${JSON.stringify(found)} instead of "${expected}"`)
    },
    version(expected, what) {
      const found = uint(1)
      if (found !== expected) throw fault(`${what} of version ${found} is not read`)
    },
  }
}

/** A number of 1 to 8 bytes. Throws `unreadable_file` beyond 2^53. */
export function uintAt(view: DataView, at: number, bytes: number): number {
  if (bytes === 1) return view.getUint8(at)
  if (bytes === 2) return view.getUint16(at, true)
  if (bytes === 4) return view.getUint32(at, true)
  if (bytes === 8) return safe(view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true))
  let value = 0
  for (let byte = bytes - 1; byte >= 0; byte--) value = value * 256 + view.getUint8(at + byte)
  return safe(value)
}

function safe(value: number): number {
  if (value > Number.MAX_SAFE_INTEGER) throw fault(`a structure says ${value}, more than any file has`)
  return value
}

/** An address. Null: all of its bits are set, so it is not defined. */
export function addressAt(view: DataView, at: number, bytes: number): number | null {
  for (let byte = 0; byte < bytes; byte++)
    if (view.getUint8(at + byte) !== 0xff) return uintAt(view, at, bytes)
  return null
}
