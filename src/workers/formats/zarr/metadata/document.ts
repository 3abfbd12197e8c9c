import type { Store } from '../../../store/store.ts'
import { locateErrors } from '../../error-location.ts'
import { fault } from '../../fault.ts'
import { isObject, type JsonObject, parseJson } from './json.ts'

/** The most bytes of a document. Consolidated metadata of 40 000 arrays have some 50 MB. */
const MAX_BYTES = 64 << 20

/** Reads a document of a store. Null: there is none. Throws `unreadable_file` with the key of the document. */
export function readDocument(store: Store, key: string): JsonObject | null {
  const source = store.open(key)
  if (source === null) return null
  return locateErrors(JSON.stringify(key), () => {
    if (source.size > MAX_BYTES) throw fault(`it has ${source.size} bytes, and at most ${MAX_BYTES} are read`)
    const document = parseJson(textOf(source.read(0, source.size)))
    if (isObject(document)) return document
    throw fault('it is no JSON object')
  })
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw fault('it is not UTF-8', { cause })
  }
}
