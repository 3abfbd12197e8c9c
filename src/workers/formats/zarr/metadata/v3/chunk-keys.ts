import { fault } from '../../../fault.ts'
import type { ChunkKeys } from '../../stored-zarr.ts'
import { isObject, type JsonObject } from '../json.ts'
import { objectIn, shown } from '../members.ts'

/** How the keys of objects are made. The separator is part of keys, so only `.` and `/` are taken. Throws `unreadable_file`. */
export function keysOf(document: JsonObject): ChunkKeys {
  const { chunk_key_encoding: given } = document
  const { name: encoding, configuration } =
    typeof given === 'string' ? { name: given } : objectIn(document, 'chunk_key_encoding')
  if (encoding !== 'default' && encoding !== 'v2')
    throw fault(`"chunk_key_encoding" must be "default" or "v2", and is ${shown(encoding)}`)
  const written = isObject(configuration) ? configuration['separator'] : undefined
  const separator = written ?? (encoding === 'default' ? '/' : '.')
  if (separator === '.' || separator === '/') return { encoding, separator }
  throw fault(`the separator of chunk keys must be "." or "/", and is ${shown(separator)}`)
}
