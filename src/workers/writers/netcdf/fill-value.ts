import type { Nc4Type } from './nc4-types.ts'

/** The types of numbers. */
export type NumberType = Exclude<Nc4Type, 'char' | 'string'>

/** Values in memory, some of which stand for null. */
interface FilledValues {
  /** Whether any value is the one that stands for null. */
  hasFill(): boolean
  isFill(index: number): boolean
  setFill(index: number): void
}

/** How a type marks nulls: by its greatest finite number. */
export interface FillValue {
  /** Bytes of a value. */
  readonly width: number
  /** The value, little-endian. */
  readonly bytes: Uint8Array
  /** In messages. */
  readonly text: string
  /** `count` values at an address of a buffer, which is a multiple of their width. */
  over(buffer: ArrayBufferLike, address: number, count: number): FilledValues
}

/** The values as integers of their width, because the bits of a float that is read may change if it is NaN. */
interface Words<V> {
  [index: number]: V
  includes(value: V): boolean
}

const LARGEST_FLOAT = 2 ** 128 - 2 ** 104

export const FILL_VALUES: Readonly<Record<NumberType, FillValue>> = Object.freeze({
  byte: bytes(0x7f),
  ubyte: bytes(0xff),
  short: halves(0x7fff),
  ushort: halves(0xffff),
  int: words(0x7fff_ffff, '2147483647'),
  uint: words(0xffff_ffff, '4294967295'),
  int64: longs(0x7fff_ffff_ffff_ffffn, '9223372036854775807'),
  uint64: longs(0xffff_ffff_ffff_ffffn, '18446744073709551615'),
  float: words(new Uint32Array(Float32Array.of(LARGEST_FLOAT).buffer)[0] ?? 0, '3.4028235e38'),
  double: longs(
    new BigUint64Array(Float64Array.of(Number.MAX_VALUE).buffer)[0] ?? 0n,
    String(Number.MAX_VALUE),
  ),
})

function bytes(fill: number): FillValue {
  return {
    width: 1,
    bytes: Uint8Array.of(fill),
    text: String(fill),
    over: (buffer, address, count) => fillWords(new Uint8Array(buffer, address, count), fill),
  }
}

function halves(fill: number): FillValue {
  return {
    width: 2,
    bytes: new Uint8Array(Uint16Array.of(fill).buffer),
    text: String(fill),
    over: (buffer, address, count) => fillWords(new Uint16Array(buffer, address, count), fill),
  }
}

function words(fill: number, text: string): FillValue {
  return {
    width: 4,
    bytes: new Uint8Array(Uint32Array.of(fill).buffer),
    text,
    over: (buffer, address, count) => fillWords(new Uint32Array(buffer, address, count), fill),
  }
}

function longs(fill: bigint, text: string): FillValue {
  return {
    width: 8,
    bytes: new Uint8Array(BigUint64Array.of(fill).buffer),
    text,
    over: (buffer, address, count) => fillWords(new BigUint64Array(buffer, address, count), fill),
  }
}

function fillWords<V>(values: Words<V>, fill: V): FilledValues {
  return {
    hasFill: () => values.includes(fill),
    isFill: (index) => values[index] === fill,
    setFill(index) {
      values[index] = fill
    },
  }
}
