import type { Scalar } from '../../../plan/types/scalar.ts'

/** What a column of a box is made of: a part of a stored array, laid along the axes of the box. */
export interface BoxSpec {
  /** The number of rows along each axis of the box. Rows are in C order: the last axis varies fastest. */
  readonly shape: readonly number[]
  /**
   * For each dimension of the array, in stored order, the axis of the box along which it lies. No two lie along the same. The
   * column is repeated along the other axes. Null: the box has one index of the dimension. With the decoding `joined` the array's
   * last dimension is left out here.
   */
  readonly axes: readonly (number | null)[]
  /** The index, along each dimension of the array, at which the box begins. With `joined` the last one is 0. */
  readonly origin: readonly number[]
  /** The type in which stored bytes are read. For `_Unsigned` it is the other one of the same bits. */
  readonly element: BoxElement
  readonly decoding: BoxDecoding
  /**
   * Stored values that are null, compared before decoding: integers and floats of the element's type, text, bytes, or a boolean. A value that the
   * type does not have matches nothing. NaN matches every NaN, and 0 also −0. Text is compared as it comes out of the decoding.
   */
  readonly fills: readonly Scalar[]
}

/** How stored elements are read and decoded. */
export type ElementSpec = Pick<BoxSpec, 'element' | 'decoding' | 'fills'>

export type BoxElement =
  | { readonly kind: 'int'; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  | { readonly kind: 'float'; readonly bits: 16 | 32 | 64 }
  /** One byte of text. */
  | { readonly kind: 'char' }
  /** Text of any length. */
  | { readonly kind: 'text' }
  /** Bytes of any length. */
  | { readonly kind: 'bytes' }
  /** One byte, which is not 0 where it is true. */
  | { readonly kind: 'bool' }

export type BoxDecoding =
  /**
   * Integers, floats, booleans and bytes in their own type. Text is UTF-8, in which other bytes become U+FFFD; each `char` is a text of its own,
   * of one character of ISO 8859-1, and a zero an empty one.
   */
  | { readonly kind: 'stored' }
  /** Of numbers: `value * scale + offset` as 64-bit floats. Null: no factor, nothing added. */
  | {
      readonly kind: 'scaled'
      readonly scale: number | null
      readonly offset: number | null
      /** The precision in which it is computed. Of 32 bits, the value, both numbers and each result are rounded to it. */
      readonly bits: 32 | 64
      /** Whether a result that is NaN is null. */
      readonly isNanNull: boolean
    }
  /**
   * Of numbers: timestamps in nanoseconds, `epoch + value * unit`. Integers are exact. NaN, infinity and what 64 bits cannot hold
   * (the least value counts as that) are null.
   */
  | {
      readonly kind: 'instants'
      /** Nanoseconds of one unit of the stored values. */
      readonly unit: bigint
      /** The epoch in nanoseconds since 1970-01-01 in the calendar. It may exceed 64 bits. */
      readonly epoch: bigint
      /** `noleap`: a year always has 365 days, and an instant becomes the one with the same date and time in ISO 8601. */
      readonly calendar: 'gregorian' | 'noleap'
      /** Floats are multiplied as such and truncated to nanoseconds, or rounded to microseconds as cftime rounds them. */
      readonly floats: 'nanoseconds' | 'microseconds'
    }
  /** Of integers: the texts for which they stand, as a dictionary. One for which there is no name is null. */
  | { readonly kind: 'named'; readonly names: readonly NumberName[] }
  /**
   * Of `char`: the bytes along the array's last dimension, all `length` of them, are one text in UTF-8, without the zeros and
   * ASCII white space at its end. Bytes that are not UTF-8 become U+FFFD.
   */
  | { readonly kind: 'joined'; readonly length: number }

/** An integer of an enumeration, and its name. */
export interface NumberName {
  readonly value: bigint
  readonly name: string
}

/** How the bytes of elements lie. */
interface ElementOrder {
  readonly isBigEndian: boolean
  /** Whether the first bytes of all elements come first, then the second ones, and so on. */
  readonly isShuffled: boolean
  /** Bytes from one element to the next, and before the first one: an element may be a member of a compound. */
  readonly stride: number
  readonly offset: number
}

/** Bytes in the core's memory, until it inflates others, or a column has taken them over. */
export interface InflatedBytes {
  readonly length: number
  /** As in `ElementOrder`, of the elements that they are. */
  readonly isShuffled: boolean
  copy(): ArrayBuffer
}

/** A box of a column that is made of several, one after the other, and the slabs of its elements. */
export interface BoxBlock extends Pick<BoxSpec, 'shape' | 'origin'> {
  readonly slabs: Iterable<BoxSlab>
}

/** Elements of a box of the array, in C order. The box may exceed the array's shape and that of the column. */
export type BoxSlab = {
  readonly origin: readonly number[]
  readonly extent: readonly number[]
} & (
  | ({
      readonly kind: 'elements'
      readonly bytes: Uint8Array
    } & ElementOrder)
  /** Elements in the core's memory. */
  | ({ readonly kind: 'inflated'; readonly bytes: InflatedBytes } & ElementOrder)
  /** A byte for each element: 0 where it is null, whatever is stored. It comes before the elements. */
  | { readonly kind: 'validity'; readonly bytes: Uint8Array }
  /** One element everywhere, as in a chunk that was never written: little-endian, or the bytes of one of any length. */
  | { readonly kind: 'repeated'; readonly bytes: Uint8Array }
  /** Text, or element of bytes, `i` is bytes `offsets[i]` to before `offsets[i + 1]`. Text is in UTF-8. */
  | { readonly kind: 'texts'; readonly offsets: Int32Array; readonly bytes: Uint8Array }
)
