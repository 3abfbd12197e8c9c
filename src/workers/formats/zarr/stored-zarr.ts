import type { StoredArray } from '../arrays/array-file.ts'

/** An array of a store, as its metadata describe it. All of it has been checked: sizes are safe integers, and products of them too. */
export interface ZarrArray extends StoredArray {
  /** The key of its folder in the store, without a `/` at its end. Empty: it is the store's own folder. */
  readonly folder: string
  readonly shape: readonly number[]
  /** The number of elements of an object along each dimension, at least 1: of a shard, or of a chunk if there are no shards. */
  readonly objectShape: readonly number[]
  readonly keys: ChunkKeys
  readonly codecs: CodecChain
  readonly data: ElementData
  /** One element, little-endian, or the bytes of a text: the value of chunks that were never written. Null: zeros, or no text. */
  readonly fill: Uint8Array | null
}

/** How the keys of objects are made of their position in the grid of objects. */
export interface ChunkKeys {
  /** `default`: `c/0/0`, and `c` for an array without dimensions. `v2`: `0.0`, and `0`. */
  readonly encoding: 'default' | 'v2'
  readonly separator: '.' | '/'
}

/** Codecs in the order in which they encode. Version 2 has the same: its filters, order and compressor are codecs here. */
export interface CodecChain {
  /** Such as `transpose` and `numcodecs.delta`: they make an array of an array. */
  readonly arrays: readonly Codec[]
  /** Such as `bytes`, `vlen-utf8` and `sharding_indexed`: makes bytes of the array. */
  readonly bytes: Codec
  /** Such as `zstd`, `blosc` and `crc32c`: they make bytes of bytes. */
  readonly compression: readonly Codec[]
}

/** A codec by its name in version 3, with what its metadata say of it. `numcodecs.` is in front of those that version 2 alone has. */
export interface Codec {
  readonly name: string
  readonly configuration: Readonly<Record<string, unknown>>
}

/** What the bytes of an element are, once codecs are undone: the form of `StoredArray.element` in a chunk. */
export type ElementData =
  | { readonly kind: 'int'; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  | { readonly kind: 'float'; readonly bits: 16 | 32 | 64 }
  | { readonly kind: 'bool' }
  /** Text or bytes of a fixed length in bytes. `utf32` has four bytes for each character. */
  | { readonly kind: 'fixed'; readonly length: number; readonly encoding: 'utf32' | 'ascii' | 'bytes' }
  /** Text or bytes of any length, which `vlen-utf8` and the like make. */
  | { readonly kind: 'variable'; readonly encoding: 'utf8' | 'bytes' }
