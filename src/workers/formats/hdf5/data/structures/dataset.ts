import { fault } from '../../../fault.ts'
import { type Cursor, createCursor } from './cursor.ts'
import { type Layout, readLayout } from './messages/layout.ts'
import { readPipeline, type StoredFilter } from './messages/pipeline.ts'
import { messageBody } from './messages/shared-message.ts'
import { bodyOf, type HeaderMessage, MESSAGE, readObjectHeader } from './object-header.ts'
import type { Structures } from './structures.ts'

/** How the elements of a dataset are stored, as its object header says. */
export interface DatasetStorage {
  readonly layout: Layout
  /** In the order in which writing applies them. */
  readonly filters: readonly StoredFilter[]
  /** The bytes of an element that was never written. Null: zeros. */
  readonly fill: Uint8Array | null
}

/** Reads the object header at an address. Throws `unreadable_file`, also where elements are in other files. */
export function readDatasetStorage(structures: Structures, address: number): DatasetStorage {
  return storageIn(readObjectHeader(structures, address), structures, address)
}

/** The same, from the messages of the object header. */
export function storageIn(
  messages: readonly HeaderMessage[],
  structures: Structures,
  address: number,
): DatasetStorage {
  const find = (type: number): HeaderMessage | undefined => messages.find((each) => each.type === type)
  const layout = find(MESSAGE.layout)
  if (layout === undefined) throw fault(`the object at ${address} is no dataset`)
  if (find(MESSAGE.externalFiles) !== undefined) throw fault('its elements are in other files')
  const filters = find(MESSAGE.filters)
  const fill = find(MESSAGE.fill)
  const oldFill = find(MESSAGE.oldFill)
  return {
    layout: readLayout(bodyOf(layout, structures)),
    filters: filters === undefined ? [] : readPipeline(cursorOf(filters, structures)),
    fill: fillOf(fill, oldFill, structures),
  }
}

/** The body of a message, which several datasets may share. */
function cursorOf(message: HeaderMessage, structures: Structures): Cursor {
  return createCursor(messageBody(message, structures), structures)
}

function fillOf(
  fill: HeaderMessage | undefined,
  oldFill: HeaderMessage | undefined,
  structures: Structures,
): Uint8Array | null {
  if (fill !== undefined) return readFill(cursorOf(fill, structures))
  return oldFill === undefined ? null : readOldFill(cursorOf(oldFill, structures))
}

/**
 * Reads a message of a fill value: the bytes of an element, in the type of the file. Null: none is defined, or it is the default, whose
 * bytes are zeros. Throws `unreadable_file`.
 */
function readFill(body: Cursor): Uint8Array | null {
  const version = body.uint(1)
  if (version === 1 || version === 2) {
    body.skip(2)
    const isDefined = body.uint(1) === 1
    return version === 1 || isDefined ? readOldFill(body) : null
  }
  if (version !== 3) throw fault(`a fill value of version ${version} is not read`)
  const hasValue = (body.uint(1) & 0x20) !== 0
  return hasValue ? readOldFill(body) : null
}

/** The message before there were versions: a size and as many bytes. A size that is negative means that none is defined. */
function readOldFill(body: Cursor): Uint8Array | null {
  if (body.remainingBytes < 4) return null
  const bytes = body.uint(4)
  return bytes === 0 || bytes > 0x7fffffff ? null : body.take(bytes)
}
