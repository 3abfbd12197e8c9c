import type { Omitted } from '../../../plan/source/omitted.ts'
import type { ArrayDimension, Attribute, StoredArray } from '../arrays/array-file.ts'
import type { TextStorage } from './data/texts.ts'

/** The metadata of an HDF5 file as plain data. */
export interface Hdf5Metadata {
  /** In the order of the UTF-8 bytes of their names, which are distinct. */
  readonly arrays: readonly Hdf5Array[]
  /** Those of groups, and of datasets that are no arrays here. */
  readonly attributes: readonly Attribute[]
  /** The dimensions that no array has. */
  readonly otherDimensions: readonly Pick<ArrayDimension, 'name' | 'size'>[]
  /** Datasets and members of compounds that are no arrays. */
  readonly omitted: readonly Omitted[]
  /** The place in the file that is address 0. */
  readonly base: number
}

/** An array, which is a dataset or a member of a compound dataset, and how its elements are stored. */
export interface Hdf5Array extends StoredArray {
  /** The address of the dataset's object header, counted from the base address of the file. */
  readonly address: number
  /** The stored size along each dimension. The dimension may be longer: the other elements were never written. */
  readonly shape: readonly number[]
  /** The address of the first element of the dataset, if all of them follow each other as they are. Null: they do not, or none was written. */
  readonly elementsAt: number | null
  /** The greatest size along each dimension. Null: it is not limited. */
  readonly maximumShape: readonly (number | null)[]
  /** The filters of chunks, in the order in which writing has applied them. */
  readonly filters: readonly Hdf5Filter[]
  /** Bytes from one stored element of the dataset to the next. */
  readonly elementBytes: number
  /** Where the array's own value is in an element, in bytes: a compound has several. */
  readonly offset: number
  readonly valueBytes: number
  readonly isBigEndian: boolean
  /** How text is stored. Null: the elements are not text. */
  readonly text: TextStorage | null
  /** Why its elements are not read, as the end of a message. Null: they are. */
  readonly fault: string | null
}

interface Hdf5Filter {
  /** The number under which the HDF Group has registered it. */
  readonly id: number
  readonly values: readonly number[]
}
