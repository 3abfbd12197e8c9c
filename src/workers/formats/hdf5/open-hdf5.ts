import { ServiceError } from '../../../plan/errors.ts'
import type { ArrayFile, Attribute, StoredArray } from '../arrays/array-file.ts'
import { createDatasetReader } from './data/dataset-reader.ts'
import type { ElementForm } from './data/elements.ts'

/** What was parsed of a file: all but where its elements are. */
export interface Hdf5Document extends Pick<ArrayFile, 'attributes' | 'otherDimensions'> {
  /** In the order of the UTF-8 bytes of their names, which are distinct. */
  readonly arrays: readonly DocumentArray[]
  readonly attributes: readonly Attribute[]
}

/** An array, which is a dataset or a member of a compound dataset. */
export interface DocumentArray extends StoredArray, ElementForm {
  /** The address of the dataset's object header. */
  readonly address: number
  /** The greatest size along each dimension. Null: it is not limited. */
  readonly maximumShape: readonly (number | null)[]
  /** Why its elements are not read, as the end of a message. Null: they are. */
  readonly fault: string | null
}

/** The arrays of a file of HDF5. Their elements are read without its library. */
export function openHdf5({ arrays, attributes, otherDimensions }: Hdf5Document): ArrayFile {
  const reader = createDatasetReader()
  const byName = new Map(arrays.map((array) => [array.name, array]))
  return {
    arrays,
    attributes,
    ...(otherDimensions && { otherDimensions }),
    slabs(store, { name }, box, context) {
      const array = byName.get(name)
      if (array === undefined) throw new RangeError(`no array "${name}"`)
      if (array.fault !== null)
        throw new ServiceError('unreadable_file', `"${name}" is not read: ${array.fault}`)
      return reader.slabs(store, { ...array, shape: array.dimensions.map(({ size }) => size) }, box, context)
    },
  }
}
