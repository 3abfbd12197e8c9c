import { fault } from '../../../fault.ts'

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
  readonly remainingBytes: number
  /** A number of 1 to 8 bytes. Throws `unreadable_file` beyond 2^53: no file has so many of anything. */
  uint(bytes: number): number
  /** Null: the address is not defined. */
  address(): number | null
  length(): number
  /** A view of the next bytes. */
  take(bytes: number): Uint8Array
  /** The same as a `DataView`. */
  view(bytes: number): DataView
  /** A cursor over the next bytes alone. */
  part(bytes: number): Cursor
  skip(bytes: number): void
  /** A view of the bytes before the next zero, which is taken too. Throws `unreadable_file` if there is none. */
  untilZero(): Uint8Array
  /** Throws `unreadable_file` unless the next bytes are this ASCII text. */
  signature(expected: string): void
  /** Throws `unreadable_file` unless the next byte is this version. */
  version(expected: number, what: string): void
}

export function createCursor(view: DataView, sizes: NumberSizes): Cursor {
  return new ViewCursor(view, sizes, 0, view.byteLength)
}

/**
 * A class, because metadata have a cursor for each of their messages: functions of its own would take most of the time. A part is another
 * range of the same view, because a view takes 0.2 µs to make.
 */
class ViewCursor implements Cursor {
  readonly #view: DataView
  readonly #sizes: NumberSizes
  readonly #from: number
  readonly #end: number
  #at: number

  constructor(view: DataView, sizes: NumberSizes, from: number, end: number) {
    this.#view = view
    this.#sizes = sizes
    this.#from = from
    this.#end = end
    this.#at = from
  }

  get position(): number {
    return this.#at - this.#from
  }

  get remainingBytes(): number {
    return this.#end - this.#at
  }

  #advance(bytes: number): number {
    if (!(bytes >= 0 && bytes <= this.remainingBytes))
      throw fault(
        `a structure of ${this.#end - this.#from} bytes goes on for ${bytes} bytes at ${this.position}`,
      )
    this.#at += bytes
    return this.#at - bytes
  }

  uint(bytes: number): number {
    return uintAt(this.#view, this.#advance(bytes), bytes)
  }

  address(): number | null {
    const { addressBytes } = this.#sizes
    return addressAt(this.#view, this.#advance(addressBytes), addressBytes)
  }

  length(): number {
    return this.uint(this.#sizes.lengthBytes)
  }

  take(bytes: number): Uint8Array {
    const at = this.#advance(bytes)
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, bytes)
  }

  view(bytes: number): DataView {
    const at = this.#advance(bytes)
    return new DataView(this.#view.buffer, this.#view.byteOffset + at, bytes)
  }

  part(bytes: number): Cursor {
    const at = this.#advance(bytes)
    return new ViewCursor(this.#view, this.#sizes, at, at + bytes)
  }

  skip(bytes: number): void {
    this.#advance(bytes)
  }

  untilZero(): Uint8Array {
    const rest = new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#at, this.remainingBytes)
    const length = rest.indexOf(0)
    if (length < 0) throw fault(`a name does not end in a structure of ${this.#end - this.#from} bytes`)
    this.#advance(length + 1)
    return rest.subarray(0, length)
  }

  signature(expected: string): void {
    const bytes = this.take(expected.length)
    for (let at = 0; at < bytes.length; at++)
      if (bytes[at] !== expected.charCodeAt(at))
        throw fault(`a structure begins with ${JSON.stringify(latin1(bytes))} instead of "${expected}"`)
  }

  version(expected: number, what: string): void {
    const actualVersion = this.uint(1)
    if (actualVersion !== expected) throw fault(`${what} of version ${actualVersion} is not read`)
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
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
