import { fault } from '../../../fault.ts'
import type { ChunkKeys } from '../../stored-zarr.ts'
import type { ArrayMetadata } from '../array-metadata.ts'
import { fillOf } from '../fill-value.ts'
import type { JsonObject } from '../json.ts'
import { show, sizesIn } from '../members.ts'
import { chainOfV2, codecsIn, objectCodec } from './codecs.ts'
import { formOfDtype } from './data-type.ts'

/**
 * What a `.zarray` says of an array. A text: no column can have its values, which are these, in the plural. Throws `unreadable_file`.
 */
export function arrayOfV2(document: JsonObject): ArrayMetadata | string {
  const shape = sizesIn(document, 'shape', 0)
  const codecs = codecsIn(document)
  const type = formOfDtype(document['dtype'], objectCodec(codecs))
  if (typeof type === 'string') return type
  // Chunks of an empty array may be empty.
  const chunk = sizesIn(document, 'chunks', 0).map((size) => Math.max(1, size))
  return {
    shape,
    objectShape: chunk,
    chunk,
    keys: keysOf(document),
    codecs: chainOfV2(document, codecs, shape.length),
    form: type.form,
    fill: fillOf(document['fill_value'] ?? null, type.form),
  }
}

/** The separator is part of keys, so only `.` and `/` are taken. */
function keysOf({ dimension_separator: separator = '.' }: JsonObject): ChunkKeys {
  if (separator === '.' || separator === '/') return { encoding: 'v2', separator }
  throw fault(`"dimension_separator" must be "." or "/", and is ${show(separator)}`)
}
