import { base64Bytes } from './base64.ts'
import type { ElementForm } from './element-form.ts'
import type { Node } from './hierarchy.ts'
import type { Json } from './json.ts'

/**
 * The element that means null, as the metadata of an array write it: in version 3 the attribute `_FillValue`. In version 2 xarray keeps
 * it as `fill_value` and nowhere else, so that counts where xarray has noted the dimensions. Undefined: there is none.
 */
export function maskOf({ version, document, attributes }: Node, form: ElementForm): Json | undefined {
  const attribute = attributes['_FillValue']
  if (version === 3) return decode(attribute, form)
  const isByXarray = attributes['_ARRAY_DIMENSIONS'] !== undefined
  return (isByXarray ? decode(document['fill_value'], form) : null) ?? attribute
}

/** xarray and zarr-python write bytes in base64, also those of text. */
function decode(mask: Json | undefined, { element, data }: ElementForm): Json | undefined {
  const isOfBytes = element.kind === 'char' || (data.kind === 'fixed' && data.encoding === 'ascii')
  if (!isOfBytes || typeof mask !== 'string') return mask
  const bytes = base64Bytes(mask)
  return bytes === null ? mask : Buffer.from(bytes).toString()
}
