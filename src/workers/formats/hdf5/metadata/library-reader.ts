import { ServiceError } from '../../../../plan/errors.ts'
import type { OpenedFile } from '../library/library.ts'
import { OBJECT_TYPE } from '../library/module.ts'
import { type FoundValue, readAttribute } from '../library/read-attribute.ts'
import type { ObjectHeaders } from './headers.ts'
import type { ObjectReader } from './objects.ts'

/** Reads objects with the HDF5 library. Throws `unreadable_file`, and what the library throws. */
export function libraryReader(file: OpenedFile, headers: ObjectHeaders): ObjectReader {
  const { library, id } = file
  return {
    root: addressOf(file, '/') ?? 0,
    attributesOf(path, address) {
      const names = library.get_attribute_names(id, `/${path}`)
      const count = headers.countAttributesAt(address)
      // Of a damaged list the library returns none, and says nothing.
      if (typeof count === 'string' && names.length === 0) throw new ServiceError('unreadable_file', count)
      if (typeof count === 'number' && count !== names.length)
        throw new Error(`"/${path}" has ${count} attributes, and ${names.length} are found`)
      const found = new Map<string, FoundValue>()
      const wrong = names.length === 0 ? null : headers.wrongAttributesAt(address)
      for (const name of names) {
        if (wrong?.has(name)) continue
        const value = readAttribute(file, `/${path}`, name)
        if (value !== null) found.set(name, value)
      }
      return found
    },
    namesIn: (path) => file.whole(() => library.get_names(id, `/${path}`, false)),
    objectAt(path) {
      const address = addressOf(file, `/${path}`)
      if (address === null) return null
      const type = library.get_type(id, `/${path}`)
      const isOther = type !== OBJECT_TYPE.group && type !== OBJECT_TYPE.dataset
      return { address, kind: isOther ? 'other' : type === OBJECT_TYPE.group ? 'group' : 'dataset' }
    },
  }
}

/** The address of the object that a path leads to. Null: it leads to none. */
function addressOf({ library, id }: OpenedFile, path: string): number | null {
  const bytes = Uint8Array.from(library.create_object_reference(id, path))
  const address = Number(new DataView(bytes.buffer).getBigUint64(0, true))
  return address === 0 ? null : address
}
