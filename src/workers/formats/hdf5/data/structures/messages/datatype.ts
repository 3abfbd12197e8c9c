import { productOf } from '../../../../../../plan/product-of.ts'
import type { NumberName } from '../../../../../../wasm/core/boxes/box-column.ts'
import { fault } from '../../../../fault.ts'
import type { TextStorage } from '../../texts.ts'
import { type Cursor, createCursor, type NumberSizes } from '../cursor.ts'

/** The type of elements in a file, as a datatype message describes it. `size` is the number of bytes of an element. */
export type Datatype = IntegerType | FloatType | TextType | EnumerationType | CompoundType | OtherType

export interface IntegerType {
  readonly kind: 'integer'
  readonly size: number
  readonly isSigned: boolean
  readonly isBigEndian: boolean
  /** The number of bits that hold the number, and the one of the lowest of them. The others mean nothing. */
  readonly bits: number
  readonly lowestBit: number
}

interface FloatType {
  readonly kind: 'float'
  readonly size: number
  readonly isBigEndian: boolean
  /** Whether all bits are those of a binary16, binary32 or binary64 of IEEE 754. */
  readonly isIeee: boolean
}

export interface TextType {
  readonly kind: 'text'
  readonly size: number
  readonly storage: TextStorage
}

/** Integers, some of them with names. */
export interface EnumerationType {
  readonly kind: 'enumeration'
  readonly size: number
  readonly base: IntegerType
  readonly names: readonly NumberName[]
}

interface CompoundType {
  readonly kind: 'compound'
  readonly size: number
  readonly members: readonly CompoundMember[]
}

interface CompoundMember {
  readonly name: string
  /** Where the member is in an element, in bytes. */
  readonly offset: number
  readonly type: Datatype
}

/** A type that no column has. */
interface OtherType {
  readonly kind: 'other'
  readonly size: number
  /** What the elements are, in the plural. */
  readonly what: string
}

/** The most types in each other. */
const MAX_DEPTH = 32

/** The library writes versions 1 to 3, 4 for references and 5 for complex numbers. */
const LAST_VERSION = 5

/** What a message begins with: the class and the version of a type, bits whose meaning depends on the class, and a size. */
interface Head {
  readonly version: number
  readonly bits: number
  readonly size: number
}

/** Reads a datatype message. Throws `unreadable_file`. */
export function readDatatype(message: DataView, sizes: NumberSizes): Datatype {
  return typeAt(createCursor(message, sizes), sizes, 0)
}

function typeAt(body: Cursor, sizes: NumberSizes, depth: number): Datatype {
  if (depth > MAX_DEPTH) throw fault(`it has more than ${MAX_DEPTH} types in each other, which are not read`)
  const first = body.uint(1)
  const head: Head = { version: first >> 4, bits: body.uint(3), size: body.uint(4) }
  const { version, size } = head
  if (version < 1 || version > LAST_VERSION) throw fault(`a type of version ${version} is not read`)
  if (size === 0) throw fault('its type has no bytes')
  const inner = (): Datatype => typeAt(body, sizes, depth + 1)
  switch (first & 15) {
    case 0:
      return integer(body, head)
    case 1:
      return float(body, head)
    case 2:
      body.skip(2)
      return other(size, 'times of HDF5')
    case 3:
      return { kind: 'text', size, storage: paddingOf(head.bits & 15) }
    case 4:
      body.skip(4)
      return other(size, 'bit fields')
    case 5:
      body.skip(head.bits & 0xff)
      return other(size, 'opaque values')
    case 6:
      return compound(body, head, inner)
    case 7:
      return other(size, 'references')
    case 8:
      return enumeration(body, head, inner)
    case 9:
      return ofVariableLength(head, sizes, inner)
    case 10:
      return array(body, head, inner)
    case 11:
      inner()
      return other(size, 'complex numbers')
    default:
      throw fault(`a type of class ${first & 15} is not read`)
  }
}

function other(size: number, what: string): OtherType {
  return { kind: 'other', size, what }
}

function integer(body: Cursor, { bits: flags, size }: Head): IntegerType {
  const [lowestBit, bits] = [body.uint(2), body.uint(2)]
  if (bits === 0 || lowestBit + bits > size * 8)
    throw fault(`its integers of ${size} bytes have ${bits} bits from bit ${lowestBit} on`)
  return {
    kind: 'integer',
    size,
    isSigned: (flags & 8) !== 0,
    isBigEndian: (flags & 1) !== 0,
    bits,
    lowestBit,
  }
}

/** The bits of the exponent and of the fraction in the floats of IEEE 754, by the bytes of a float. */
const IEEE: Readonly<Record<number, readonly [exponentBits: number, fractionBits: number]>> = Object.freeze({
  2: [5, 10],
  4: [8, 23],
  8: [11, 52],
})

/** The highest bit of the fraction is always 1 and is not stored. */
const IS_ONE_IMPLIED = 2

function float(body: Cursor, { bits: flags, size }: Head): FloatType {
  const [lowestBit, bits] = [body.uint(2), body.uint(2)]
  const [exponentAt, exponentBits, fractionAt, fractionBits] = [0, 0, 0, 0].map(() => body.uint(1))
  const bias = body.uint(4)
  const [wantedExponent = 0, wantedFraction = 0] = IEEE[size] ?? []
  const isIeee =
    wantedExponent > 0 &&
    lowestBit === 0 &&
    bits === size * 8 &&
    exponentAt === wantedFraction &&
    exponentBits === wantedExponent &&
    fractionAt === 0 &&
    fractionBits === wantedFraction &&
    bias === 2 ** (wantedExponent - 1) - 1 &&
    ((flags >> 4) & 3) === IS_ONE_IMPLIED &&
    ((flags >> 8) & 0xff) === size * 8 - 1 &&
    // Both bits of the order: that of VAX.
    (flags & 0x41) !== 0x41
  return { kind: 'float', size, isBigEndian: (flags & 1) !== 0, isIeee }
}

function paddingOf(padding: number): TextStorage {
  if (padding === 0) return 'ends_at_zero'
  if (padding === 1) return 'padded_with_zeros'
  if (padding === 2) return 'padded_with_spaces'
  throw fault(`texts with padding ${padding} are not read`)
}

/** Bytes of the dimensions that a member of version 1 has besides their number: reserved, a permutation, reserved. */
const OLD_DIMENSIONS = Object.freeze({ reserved: 3, permutation: 8, most: 4 })

function compound(body: Cursor, { version, bits, size }: Head, inner: () => Datatype): CompoundType {
  const offsetBytes = version < 3 ? 4 : bytesFor(size)
  const members = Array.from({ length: bits & 0xffff }, () => {
    const name = nameAt(body, version)
    const offset = body.uint(offsetBytes)
    const length = version === 1 ? oldLength(body) : null
    const single = inner()
    const type = length === null ? single : other(single.size * length, 'arrays')
    if (offset + type.size > size)
      throw fault(`its member "${name}" of ${type.size} bytes at ${offset} is not within ${size} bytes`)
    return { name, offset, type }
  })
  return { kind: 'compound', size, members }
}

/** The number of elements of a member of version 1. Null: it is no array. */
function oldLength(body: Cursor): number | null {
  const rank = body.uint(1)
  if (rank > OLD_DIMENSIONS.most) throw fault(`a member has ${rank} dimensions`)
  body.skip(OLD_DIMENSIONS.reserved + OLD_DIMENSIONS.permutation)
  const lengths = Array.from({ length: OLD_DIMENSIONS.most }, () => body.uint(4))
  return rank === 0 ? null : productOf(lengths.slice(0, rank))
}

/** The bytes that a number up to `most` takes. */
function bytesFor(most: number): number {
  return Math.floor(Math.log2(most) / 8) + 1
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** A name, which before version 3 is filled up with zeros to a multiple of 8 bytes. */
function nameAt(body: Cursor, version: number): string {
  const name = body.untilZero()
  if (version < 3) body.skip((8 - ((name.length + 1) % 8)) % 8)
  return utf8.decode(name)
}

function enumeration(
  body: Cursor,
  { version, bits, size }: Head,
  inner: () => Datatype,
): EnumerationType | OtherType {
  const base = inner()
  const names = Array.from({ length: bits & 0xffff }, () => nameAt(body, version))
  const values = body.take(names.length * base.size)
  const isWhole = base.kind === 'integer' && base.size === size && base.bits === 8 * size && size <= 8
  if (!isWhole) return other(size, 'enumerations')
  return {
    kind: 'enumeration',
    size,
    base,
    names: names.map((name, index) => ({
      name,
      value: numberOf(values.subarray(index * size, (index + 1) * size), base),
    })),
  }
}

function numberOf(bytes: Uint8Array, { isBigEndian, isSigned, size }: IntegerType): bigint {
  const fromHighest = isBigEndian ? bytes : bytes.toReversed()
  const value = fromHighest.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return isSigned ? BigInt.asIntN(8 * size, value) : value
}

function ofVariableLength(
  { bits, size }: Head,
  { addressBytes }: NumberSizes,
  inner: () => Datatype,
): Datatype {
  // A length, and the address and the number of an object in a heap.
  const wanted = 8 + addressBytes
  if (size !== wanted) throw fault(`its elements of variable length have ${size} bytes instead of ${wanted}`)
  inner()
  return (bits & 15) === 1 ? { kind: 'text', size, storage: 'heap' } : other(size, 'sequences')
}

function array(body: Cursor, { version, size }: Head, inner: () => Datatype): OtherType {
  const rank = body.uint(1)
  if (version < 3) body.skip(3)
  body.skip(4 * rank * (version < 3 ? 2 : 1))
  inner()
  return other(size, 'arrays')
}
