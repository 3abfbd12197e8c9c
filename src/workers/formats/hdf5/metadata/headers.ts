import { isServiceError } from '../../../../plan/errors.ts'
import { fault } from '../../fault.ts'
import { createCursor } from '../data/structures/cursor.ts'
import { type DatasetStorage, storageIn } from '../data/structures/dataset.ts'
import { type Dataspace, readDataspace } from '../data/structures/messages/dataspace.ts'
import { type Datatype, readDatatype } from '../data/structures/messages/datatype.ts'
import { messageBody } from '../data/structures/messages/shared-message.ts'
import { type HeaderMessage, MESSAGE, readObjectHeader } from '../data/structures/object-header.ts'
import type { Structures } from '../data/structures/structures.ts'

/** What the object header of a dataset says. */
export interface DatasetHeader {
  readonly type: Datatype
  /** Null: the dataset has no elements. */
  readonly space: Dataspace | null
  /** A text: why its elements are not read, as the end of a message. */
  readonly storage: Pick<DatasetStorage, 'layout' | 'filters'> | string
}

/** The object headers of a file. */
export interface ObjectHeaders {
  /** The messages of the object header at an address. Throws `unreadable_file`. */
  messagesAt(address: number): readonly HeaderMessage[]
  /** The header of the dataset at an address. A text: it cannot be read, and why. */
  datasetAt(address: number): DatasetHeader | string
}

export function createObjectHeaders(structures: Structures): ObjectHeaders {
  /** The header that was read last: a dataset is asked for with its attributes. */
  let last: { readonly address: number; readonly messages: readonly HeaderMessage[] } | null = null

  function messagesAt(address: number): readonly HeaderMessage[] {
    if (last?.address !== address) last = { address, messages: readObjectHeader(structures, address) }
    return last.messages
  }

  /** The body of the first message of a type. */
  function bodyOfFirst(messages: readonly HeaderMessage[], type: number, what: string): DataView {
    const message = messages.find((each) => each.type === type)
    if (message === undefined) throw fault(`it has no ${what}`)
    return messageBody(message, structures)
  }

  return {
    messagesAt,
    datasetAt: (address) =>
      unlessUnreadable<DatasetHeader | string>(
        () => {
          const messages = messagesAt(address)
          const space = createCursor(bodyOfFirst(messages, MESSAGE.dataspace, 'dataspace'), structures)
          return {
            type: readDatatype(bodyOfFirst(messages, MESSAGE.datatype, 'type'), structures),
            space: readDataspace(space, structures.lengthBytes),
            storage: unlessUnreadable<DatasetStorage | string>(
              () => storageIn(messages, structures, address),
              (message) => message,
            ),
          }
        },
        (message) => message,
      ),
  }
}

/** The result of a function, or what `otherwise` makes of the message if it throws `unreadable_file`. */
function unlessUnreadable<T>(read: () => T, otherwise: (message: string) => T): T {
  try {
    return read()
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
    return otherwise(error.message)
  }
}
