import { fault } from '../../../fault.ts'
import type { ChunkKeys } from '../../stored-zarr.ts'
import type { ArrayMetadata } from '../array-metadata.ts'
import { fillOf } from '../fill-value.ts'
import { isObject, type JsonObject } from '../json.ts'
import { objectIn, show, sizesIn } from '../members.ts'
import { chunkShapeOf, codecsOf } from './codecs.ts'
import { formOfDataType } from './data-type.ts'

/**
 * What a `zarr.json` says of an array. A text: no column can have its values, which are these, in the plural. Throws `unreadable_file`.
 */
export function arrayOfV3(document: JsonObject): ArrayMetadata | string {
  requireUnderstood(document)
  const shape = sizesIn(document, 'shape', 0)
  const form = formOfDataType(document['data_type'])
  if (typeof form === 'string') return form
  const { name: grid, configuration } = objectIn(document, 'chunk_grid')
  if (grid !== 'regular') return `elements in a chunk grid that is ${show(grid)}, and not "regular"`
  if (!isObject(configuration)) throw fault('the configuration of "chunk_grid" must be an object')
  const { storage_transformers: transformers = [] } = document
  if (!Array.isArray(transformers) || transformers.length > 0) return 'elements behind storage transformers'
  const objectShape = sizesIn(configuration, 'chunk_shape', 1)
  const codecs = codecsOf(document)
  return {
    shape,
    objectShape,
    chunk: chunkShapeOf(codecs, objectShape),
    keys: keysOf(document),
    codecs,
    form,
    fill: fillOf(document['fill_value'] ?? null, form),
  }
}

const MEMBERS = new Set([
  'zarr_format',
  'node_type',
  'shape',
  'data_type',
  'chunk_grid',
  'chunk_key_encoding',
  'fill_value',
  'codecs',
  'attributes',
  'storage_transformers',
  'dimension_names',
])

/** Other members say themselves whether a reader may leave them out. */
function requireUnderstood(document: JsonObject): void {
  for (const [name, value] of Object.entries(document))
    if (!MEMBERS.has(name) && !(isObject(value) && value['must_understand'] === false))
      throw fault(`it has the member ${show(name)}, which must be understood, and is not`)
}

/** How the keys of objects are made. The separator is part of keys, so only `.` and `/` are taken. Throws `unreadable_file`. */
function keysOf(document: JsonObject): ChunkKeys {
  const { chunk_key_encoding: given } = document
  const { name: encoding, configuration } =
    typeof given === 'string' ? { name: given } : objectIn(document, 'chunk_key_encoding')
  if (encoding !== 'default' && encoding !== 'v2')
    throw fault(`"chunk_key_encoding" must be "default" or "v2", and is ${show(encoding)}`)
  const written = isObject(configuration) ? configuration['separator'] : undefined
  const separator = written ?? (encoding === 'default' ? '/' : '.')
  if (separator === '.' || separator === '/') return { encoding, separator }
  throw fault(`the separator of chunk keys must be "." or "/", and is ${show(separator)}`)
}
