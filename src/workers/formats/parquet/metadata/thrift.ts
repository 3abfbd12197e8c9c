import {
  advance,
  append,
  fault,
  type Input,
  type Output,
  readByte,
  readListHeader,
  readVarint,
  skip,
  Wire,
  writeByte,
  writeVarint,
} from './compact.ts'

/**
 * Reads and writes values of one type in Thrift's compact protocol (thrift-compact-protocol.md of Apache Thrift). This file
 * has the types that Parquet's metadata use. Input is untrusted: every length is checked against the bytes that are left
 * before it is used, and unknown fields are skipped to a limited depth. Errors are `unreadable_file`; callers add the file's
 * name.
 */
export interface Codec<T> {
  readonly wire: number
  read(input: Input): T
  write(output: Output, value: T): void
}

/** The most elements of one list. The longest real lists are those of row groups and pages, some hundred thousand. */
const MAX_LIST = 1 << 22

export function decode<T>(codec: Codec<T>, bytes: Uint8Array): T {
  return codec.read({ bytes, at: 0 })
}

export function encode<T>(codec: Codec<T>, value: T): Uint8Array {
  const output: Output = { bytes: new Uint8Array(256), at: 0 }
  codec.write(output, value)
  return output.bytes.subarray(0, output.at)
}

export const bool: Codec<boolean> = {
  wire: Wire.true,
  // An element of a list is a byte. A field has its value in its header, which `struct` reads.
  read: (input) => readByte(input) === Wire.true,
  write: (output, value) => writeByte(output, value ? Wire.true : Wire.false),
}

export const i8: Codec<number> = {
  wire: Wire.i8,
  read: (input) => (readByte(input) << 24) >> 24,
  write: (output, value) => writeByte(output, value & 255),
}

const i16: Codec<number> = integer(Wire.i16, 0x7fff)
export const i32: Codec<number> = integer(Wire.i32, 0x7fff_ffff)
/** Parquet's 64-bit fields are sizes, counts and offsets: one beyond 2⁵² is damage. Zigzag doubles them, to 2⁵³. */
export const i64: Codec<number> = integer(Wire.i64, 2 ** 52 - 1)

/** Bytes. Reading returns a view of the input, not a copy. */
export const binary: Codec<Uint8Array> = {
  wire: Wire.binary,
  read(input) {
    const length = readVarint(input)
    const at = input.at
    advance(input, length)
    return input.bytes.subarray(at, at + length)
  },
  write(output, value) {
    writeVarint(output, value.length)
    append(output, value)
  },
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

export const utf8: Codec<string> = {
  wire: Wire.binary,
  read: (input) => decoder.decode(binary.read(input)),
  write: (output, value) => binary.write(output, encoder.encode(value)),
}

export function list<T>(item: Codec<T>): Codec<readonly T[]> {
  return {
    wire: Wire.list,
    read(input) {
      const { length, wire } = readListHeader(input)
      // Writers may give an empty list any element type.
      if (length > 0 && wire !== item.wire && !(item.wire === Wire.true && wire === Wire.false))
        throw fault(`a list of type ${wire} where type ${item.wire} belongs`)
      if (length > MAX_LIST) throw fault(`a list of ${length} elements`)
      const values: T[] = []
      for (let i = 0; i < length; i++) values.push(item.read(input))
      return values
    },
    write(output, values) {
      if (values.length < 15) writeByte(output, (values.length << 4) | item.wire)
      else {
        writeByte(output, 0xf0 | item.wire)
        writeVarint(output, values.length)
      }
      for (const value of values) item.write(output, value)
    },
  }
}

/** Reads a value as its encoded bytes, a view of the input, for a later `decode`. Skipping it checks that it is complete. */
export function encodedBytes(codec: Codec<unknown>): Codec<Uint8Array> {
  return {
    wire: codec.wire,
    read(input) {
      const at = input.at
      skip(input, codec.wire, 0)
      return input.bytes.subarray(at, input.at)
    },
    write: append,
  }
}

/** The most bytes of a value that is shared, and how many values are. */
const MOST_SHARED_BYTES = 64 << 10
const MOST_SHARED = 4

/**
 * Reads equal bytes as one object, as far as they follow soon: files of one writer have the same schema. The value must be frozen in use.
 */
export function shareEqual<T>(codec: Codec<T>): Codec<T> {
  /** The last one first. */
  const values: { readonly bytes: Uint8Array; readonly value: T }[] = []
  return {
    ...codec,
    read(input) {
      const { at } = input
      const index = values.findIndex(({ bytes }) => isAhead(input, bytes))
      const [earlier] = index < 0 ? [] : values.splice(index, 1)
      if (earlier !== undefined) {
        values.unshift(earlier)
        advance(input, earlier.bytes.length)
        return earlier.value
      }
      const value = codec.read(input)
      if (input.at - at <= MOST_SHARED_BYTES) {
        values.unshift({ bytes: input.bytes.slice(at, input.at), value })
        values.length = Math.min(values.length, MOST_SHARED)
      }
      return value
    },
  }
}

/** Whether the next bytes are these. An encoded value tells its length, so a value that begins like another one is that one. */
function isAhead({ bytes: all, at }: Input, bytes: Uint8Array): boolean {
  const end = at + bytes.length
  return end <= all.length && Buffer.compare(all.subarray(at, end), bytes) === 0
}

/** A value that is written for other readers and skipped when it is read. */
export function unread<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    wire: codec.wire,
    read(input) {
      skip(input, codec.wire, 0)
      return undefined
    },
    write(output, value) {
      if (value !== undefined) codec.write(output, value)
    },
  }
}

/** Fields of a struct by their names, each with its id and its type. */
type Fields = Readonly<Record<string, readonly [id: number, codec: Codec<unknown>]>>
type ValueOf<F> = F extends readonly [number, Codec<infer T>] ? T : never

export type Struct<Required extends Fields, Optional extends Fields> = {
  readonly [K in keyof Required]: ValueOf<Required[K]>
} & {
  readonly [K in keyof Optional]?: ValueOf<Optional[K]>
}

/**
 * A struct with these fields. Reading skips fields that are not named here, and an optional field that has another type: its
 * id may stand for something else in the writer's version. The readers that Thrift generates do the same. A union is a struct
 * with only optional fields.
 */
export function struct<Required extends Fields, Optional extends Fields>(
  required: Required,
  optional: Optional,
): Codec<Struct<Required, Optional>> {
  const byId: (readonly [name: string, codec: Codec<unknown>] | undefined)[] = []
  for (const [name, [id, codec]] of Object.entries({ ...required, ...optional })) byId[id] = [name, codec]
  const requiredNames = Object.keys(required)
  return {
    wire: Wire.struct,
    read(input) {
      const value: Record<string, unknown> = {}
      for (let id = 0; ; ) {
        const header = readByte(input)
        if (header === 0) break
        const wire = header & 15
        id = header >> 4 === 0 ? i16.read(input) : id + (header >> 4)
        const field = byId[id]
        if (field === undefined) skip(input, wire, 0)
        else if (field[1].wire === Wire.true && (wire === Wire.true || wire === Wire.false))
          value[field[0]] = wire === Wire.true
        else if (field[1].wire === wire) value[field[0]] = field[1].read(input)
        else if (field[0] in required)
          throw fault(`field "${field[0]}" has type ${wire} instead of ${field[1].wire}`)
        else skip(input, wire, 0)
      }
      for (const name of requiredNames)
        if (value[name] === undefined) throw fault(`field "${name}" is missing`)
      return value as Struct<Required, Optional>
    },
    write(output, value) {
      const values = value as Readonly<Record<string, unknown>>
      let last = 0
      for (const [id, field] of byId.entries()) {
        const member = field && values[field[0]]
        if (field === undefined || member === undefined) continue
        const [, codec] = field
        const wire = codec.wire === Wire.true && member === false ? Wire.false : codec.wire
        if (id - last < 16) writeByte(output, ((id - last) << 4) | wire)
        else {
          writeByte(output, wire)
          i16.write(output, id)
        }
        last = id
        if (codec.wire !== Wire.true) codec.write(output, member)
      }
      writeByte(output, 0)
    },
  }
}

function integer(wire: number, limit: number): Codec<number> {
  return {
    wire,
    read(input) {
      const zigzag = readVarint(input)
      const value = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
      if (value > limit || value < -limit - 1) throw fault(`an integer beyond ${limit}`)
      return value
    },
    write: (output, value) => writeVarint(output, value >= 0 ? value * 2 : -value * 2 - 1),
  }
}
