import { fault } from '../../../src/workers/formats/fault.ts'
import { createCursor } from '../../../src/workers/formats/hdf5/data/structures/cursor.ts'
import { readDatatype } from '../../../src/workers/formats/hdf5/data/structures/messages/datatype.ts'
import { messageBody } from '../../../src/workers/formats/hdf5/data/structures/messages/shared-message.ts'
import {
  type HeaderMessage,
  MESSAGE,
} from '../../../src/workers/formats/hdf5/data/structures/object-header.ts'
import type { Structures } from '../../../src/workers/formats/hdf5/data/structures/structures.ts'
import type { OpenedFile } from '../../../src/workers/formats/hdf5/library/library.ts'
import type { FoundValue } from '../../../src/workers/formats/hdf5/metadata/attribute-value.ts'
import { formOf } from '../../../src/workers/formats/hdf5/metadata/element-form.ts'
import type { ObjectHeaders } from '../../../src/workers/formats/hdf5/metadata/headers.ts'
import type { ObjectReader } from '../../../src/workers/formats/hdf5/metadata/objects.ts'
import { readAttributeType } from './attribute-type.ts'
import { describingLibrary } from './describing-library.ts'
import { readAttribute } from './read-attribute.ts'

/** `get_type` of a group and of a dataset. */
const GROUP = 0
const DATASET = 1

/** Reads objects with the HDF5 library. */
export function libraryReader(
  file: OpenedFile,
  headers: ObjectHeaders,
  structures: Structures,
): ObjectReader {
  const library = describingLibrary(file)
  const { id } = file
  return {
    root: addressOf(file, '/') ?? 0,
    attributesOf(path, address) {
      const names = opened(() => library.get_attribute_names(id, `/${path}`))
      const read = new Map<string, FoundValue>()
      const wrong = wrongAttributes(headers.messagesAt(address), structures)
      for (const name of names) {
        if (wrong.has(name)) continue
        const value = readAttribute(file, `/${path}`, name)
        if (value !== null) read.set(name, value)
      }
      return read
    },
    namesIn: (path) => library.get_names(id, `/${path}`, false),
    objectAt(path) {
      const address = addressOf(file, `/${path}`)
      if (address === null) return null
      const type = library.get_type(id, `/${path}`)
      const isOther = type !== GROUP && type !== DATASET
      return { address, kind: isOther ? 'other' : type === GROUP ? 'group' : 'dataset' }
    },
  }
}

/** The library opens no dataset of a type that it thinks wrong. */
function opened<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw fault('the library does not open it', { cause: error })
  }
}

/** The address of the object that a path leads to. Null: it leads to none. */
function addressOf(file: OpenedFile, path: string): number | null {
  const bytes = Uint8Array.from(describingLibrary(file).create_object_reference(file.id, path))
  const address = Number(new DataView(bytes.buffer).getBigUint64(0, true))
  return address === 0 ? null : address
}

/** The attributes whose numbers the library gets wrong: it does not tell which bits of a number count. */
function wrongAttributes(messages: readonly HeaderMessage[], structures: Structures): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) => {
      if (message.type !== MESSAGE.attribute) return []
      const {
        name,
        message: bytes,
        isShared,
      } = readAttributeType(createCursor(messageBody(message, structures), structures))
      const body = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      const type = readDatatype(
        messageBody({ type: MESSAGE.datatype, isShared, body }, structures),
        structures,
      )
      if (type.kind !== 'integer' && type.kind !== 'float') return []
      const form = formOf(type)
      return typeof form === 'string' || form.fault !== null ? [name] : []
    }),
  )
}
