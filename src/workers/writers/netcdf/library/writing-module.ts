import type { Hdf5Module } from '../../../formats/hdf5/library/module.ts'

/** The part of h5wasm that writes. Statuses are negative on failure, but many calls return that of the last step alone. */
export interface WritingModule extends Hdf5Module {
  /** `data` is the address of all elements. 0: none are written, which is a failure that is printed if there are any. */
  create_dataset(file: bigint, path: string, data: bigint, metadata: ElementsMetadata): number
  resize_dataset(file: bigint, path: string, shape: readonly bigint[]): number
  /** Writes the elements at `pointer` to a box of a dataset. Those of texts are the addresses of texts that end in NUL. */
  set_dataset_data(
    file: bigint,
    path: string,
    count: readonly bigint[],
    offset: readonly bigint[],
    strides: readonly bigint[],
    pointer: bigint,
  ): number
  create_attribute(file: bigint, path: string, name: string, data: bigint, metadata: ElementsMetadata): number
  /** Makes a dataset a dimension scale. */
  set_scale(file: bigint, path: string, label: string): number
  attach_scale(file: bigint, path: string, scale: string, axis: number): number
}

/** The type of elements (`TYPE_CLASS`). */
export interface ElementType {
  readonly type: number
  /** Bytes. */
  readonly size: number
  readonly signed: boolean
  /** Whether it is text of variable length. */
  readonly vlen: boolean
  /** Of text: 0 is ASCII, 1 is UTF-8. */
  readonly cset?: 0 | 1
}

/** The type and the shape of elements that are written. */
interface ElementsMetadata extends ElementType {
  readonly littleEndian: true
  readonly shape: readonly bigint[]
  /** Null: the shape is fixed. */
  readonly maxshape: readonly bigint[] | null
  /** Null: the elements are stored in one piece. */
  readonly chunks: readonly bigint[] | null
  /** A filter of the chunks, of which the module sets one at most, and its parameters. */
  readonly compression?: number
  readonly compression_opts?: readonly number[]
  /** Whether attributes keep the order in which they were made. */
  readonly track_order: boolean
}

/** `H5S_UNLIMITED`. */
export const UNLIMITED = 2n ** 64n - 1n

/** `H5Z_FILTER_DEFLATE`. */
export const DEFLATE = 1

/** `H5Z_FILTER_SHUFFLE`. */
export const SHUFFLE = 2

/** `H5F_ACC_TRUNC`. */
export const TRUNCATE = 2

/** `H5F_LIBVER_V18`: files that HDF5 1.8 and later read, as the netCDF library writes them. */
export const VERSION_1_8 = 1
