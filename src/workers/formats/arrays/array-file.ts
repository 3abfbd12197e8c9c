import type { EvenValues } from '../../../plan/source/even-values.ts'
import type { Omitted } from '../../../plan/source/omitted.ts'
import type { BoxElement, BoxSlab, NumberName } from '../../../wasm/core/boxes/box-column.ts'
import type { Store } from '../../store/store.ts'
import type { HeldBytes, OpenContext, ReadContext } from '../provider.ts'
import type { FormedArray, FormNumbers } from './formed-file.ts'
import type { StoredStructure } from './structure/stored-structure.ts'

/**
 * Reads the metadata of files of arrays. What columns and rows are made of them does not depend on the format. Callers add the
 * file's name to the messages of errors.
 */
export interface ArrayReader {
  /** The name of the format in messages, such as `NetCDF`. */
  readonly title: string
  /** Whether the first bytes are those of such a file. Reads only a few bytes and does not throw. */
  sniff(store: Store): boolean
  /** Reads and checks the metadata. Throws `unreadable_file`. */
  open(store: Store, context: OpenContext): ArrayFile
  /**
   * What `open` has returned for another file of this size and of equal metadata. `memory` has all bytes of a small file, from `at` on.
   * Undefined: none has been opened lately. Absent: each file is opened.
   */
  openedBefore?(memory: Uint8Array, at: number, size: number): ArrayFile | undefined
  /**
   * What the metadata of a small file say as numbers of a form that files have in common. Undefined: no form is remembered that it has, or it has to be
   * opened, which also says what is wrong with it. Absent: each file is opened.
   */
  formed?(held: HeldBytes, context: OpenContext): FormedFile | undefined
  /** Whether `formed` parses the metadata, so that what they say is kept by the version of the file. Absent: it compares bytes. */
  readonly areFormsParsed?: boolean
  /** Reads what the file holds, whether or not it is read as an array. Throws `unreadable_file`. */
  structure(store: Store, context: OpenContext): StructuredFile
}

/**
 * An opened file of arrays. It holds no file descriptor, and may be kept by the version of the store. Small files whose metadata are equal may
 * share it: then elements that are stored one after the other lie in the same places of all of them.
 */
export interface ArrayFile {
  /** In the order of the UTF-8 bytes of their names, which are distinct. */
  readonly arrays: readonly StoredArray[]
  /** Those of groups. The name of each begins with the path of its group: `.title`, `observations/.title`. */
  readonly attributes: readonly Attribute[]
  /** The lengths of dimensions that no array has. Absent: there are none. */
  readonly otherDimensions?: readonly { readonly name: string; readonly size: number }[]
  /** What is no array, because its elements are of types that no column has. Absent: nothing. */
  readonly omitted?: readonly Omitted[]
  /**
   * The stored elements of an array that are in a box, as slabs. Together they have each element of the box once, and
   * may have other elements too. A slab must not be used any more once the next one is asked for. `exclusive` are the
   * elements that only this unit may ask for; it contains the box. Absent or null: others may ask for all of them. Throws `unreadable_file`.
   */
  slabs(
    store: Store,
    array: StoredArray,
    box: Box,
    context: ReadContext,
    exclusive?: Box | null,
  ): Iterable<Slab>
  /** The key of the object that has the chunk with an element. Absent: chunks are not in objects of their own. */
  chunkObject?(array: StoredArray, element: readonly number[]): string
}

/**
 * What small files have in common whose metadata say the same but for the sizes of dimensions, the places of elements, and texts of the file's
 * attributes. One object for all of them.
 */
export interface ArrayForm {
  /** One of these files. */
  readonly file: ArrayFile
  /** In the order of `file.arrays`. */
  readonly arrays: readonly FormedArray[]
  /** Which attributes of the file have the texts that differ: their indices in `file.attributes`. */
  readonly texts: readonly number[]
}

/** A small file whose metadata are of a form that is remembered. They have been checked. */
export interface FormedFile {
  readonly form: ArrayForm
  readonly numbers: FormNumbers
}

/** What a reader finds in a file, with the groups that are tables. */
export interface StructuredFile {
  readonly structure: StoredStructure
  readonly tables: readonly StructuredTable[]
}

interface StructuredTable {
  readonly group: string
  readonly file: ArrayFile
  /** Whether the table has the arrays of all groups in the group too. */
  readonly hasGroups: boolean
}

/** An array with a shape and named dimensions. An array of rank 0 has one element. */
export interface StoredArray {
  /** The path of its group, if that is not the root, and its name: `observations/temperature`. */
  readonly name: string
  readonly element: ElementType
  /** Of integers: the names for which they stand. Absent: they are numbers. */
  readonly enumeration?: readonly NumberName[]
  /** The dimensions, the slowest one first. */
  readonly dimensions: readonly ArrayDimension[]
  /** The number of elements of a chunk along each dimension, at least 1. Null: the array is not stored in chunks. */
  readonly chunk: readonly number[] | null
  /** Whether a chunk can only be decoded as a whole, because it is compressed. */
  readonly isAtomic: boolean
  /** The filters of its chunks that the annex undoes, for people: `szip (4)`. Absent: there are none. */
  readonly annexFilters?: readonly string[]
  /** Bytes of the array in the file, as far as known without reading it. */
  readonly storedBytes: number
  /** The attributes that have one value, and others that describe the array, in the order of the file. */
  readonly attributes: readonly Attribute[]
  /** Its values, which are 64-bit floats along one dimension, if they follow from the index. Absent: they do not. */
  readonly even?: EvenValues
  /** The least and the greatest of its floats, none of which is NaN, if that is known without reading them. */
  readonly range?: { readonly min: number; readonly max: number }
  /** Attributes that say what the values mean in place of `attributes`, and are no columns. Absent: `attributes` say it. */
  readonly meaning?: readonly Attribute[]
}

export interface ArrayDimension {
  readonly name: string
  readonly size: number
  /** Whether the file has no name for it, and the reader has made one. */
  readonly isInvented: boolean
}

/** The type of stored elements. Text that has a fixed length in the file is `text` too. */
export type ElementType = BoxElement

/** An attribute. Its values are those of the file, in their stored type. */
export interface Attribute {
  readonly name: string
  readonly value: AttributeValue
}

export type AttributeValue =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'texts'; readonly values: readonly string[] }
  | {
      readonly kind: 'numbers'
      readonly element: Extract<ElementType, { kind: 'int' | 'float' }>
      readonly values: readonly (number | bigint)[]
    }

/** `extent` elements of an array along each dimension, from `origin` on. */
export interface Box {
  readonly origin: readonly number[]
  readonly extent: readonly number[]
}

/** Elements of a box of the array. The box may exceed the array's shape, as a chunk at its edge does. */
export type Slab = BoxSlab
