import type { OpenedFile } from '../../../src/workers/formats/hdf5/library/library.ts'
import type { Hdf5Module } from '../../../src/workers/formats/hdf5/library/module.ts'

/** The part of h5wasm that tells what a file holds, which the service does not use. */
interface DescribingLibrary extends Hdf5Module {
  /** The names of the links of a group. */
  get_names(file: bigint, path: string, isRecursive: boolean): readonly string[]
  get_attribute_names(file: bigint, path: string): readonly string[]
  get_attribute_metadata(file: bigint, path: string, name: string): DataspaceMetadata
  /** Copies the values to `pointer`, little-endian. Returns a negative number on failure. */
  get_attribute_data(file: bigint, path: string, name: string, pointer: bigint): number
  /** Frees what values of variable length at `pointer` refer to. */
  reclaim_vlen_memory(file: bigint, path: string, name: string, pointer: bigint): number
}

interface TypeMetadata {
  /** One of `TYPE_CLASS`, or another class. */
  readonly type: number
  /** Bytes. */
  readonly size: number
  readonly signed: boolean
  readonly littleEndian: boolean
  /** Whether it is text of variable length. */
  readonly vlen: boolean
  readonly strpad?: number
  readonly vlen_type?: TypeMetadata
}

export interface DataspaceMetadata extends TypeMetadata {
  /** Null: there are no elements, not even one. */
  readonly shape: readonly number[] | null
}

/** `H5T_str_t` of text that is filled with spaces. */
export const FILLED_WITH_SPACES = 2

export function describingLibrary({ library }: OpenedFile): DescribingLibrary {
  return library as DescribingLibrary
}
