import type { Attribute, AttributeValue } from '../../arrays/array-file.ts'
import { base64Bytes } from './base64.ts'
import type { ElementForm } from './element-form.ts'
import type { Node } from './hierarchy.ts'
import type { Json, JsonObject } from './json.ts'
import { requireFewColumns } from './most-columns.ts'

/**
 * The attributes that say what the elements of an array mean. `mask` is the element that means null, as the metadata write it;
 * undefined: the attributes say it. They are the same attributes unless something differs.
 */
export function meaningOf(
  attributes: readonly Attribute[],
  { element, units }: ElementForm,
  mask: Json | undefined,
): readonly Attribute[] {
  if (units !== null) return [{ name: 'units', value: { kind: 'text', value: units } }]
  if (mask === undefined || mask === null) return attributes
  const others = attributes.filter(({ name }) => name !== '_FillValue')
  const value = fillAttribute(mask, element.kind)
  return value === null ? others : [...others, { name: '_FillValue', value }]
}

function fillAttribute(mask: Json, element: ElementForm['element']['kind']): AttributeValue | null {
  if (element === 'bool') return typeof mask === 'boolean' ? { kind: 'boolean', value: mask } : null
  // An empty text is what arrays of texts are filled with if nothing was said. It is a value.
  if (element === 'text' || element === 'char')
    return typeof mask === 'string' && mask !== '' ? { kind: 'text', value: mask } : null
  const given = numberOf(mask)
  // xarray converts it to the type of the array.
  const number = element === 'int' && typeof given === 'number' ? Math.trunc(given) : given
  return number === null ? null : { kind: 'numbers', element: { kind: 'float', bits: 64 }, values: [number] }
}

const NAMED: Readonly<Record<string, number>> = Object.freeze({
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
})

/** A number, or as xarray writes one in version 3: the bytes of a little-endian binary64 in base64. */
function numberOf(mask: Json): number | bigint | null {
  if (typeof mask === 'number' || typeof mask === 'bigint') return mask
  if (typeof mask !== 'string') return null
  if (Object.hasOwn(NAMED, mask)) return NAMED[mask] ?? null
  const bytes = base64Bytes(mask)
  return bytes?.length === 8 ? new DataView(bytes.buffer).getFloat64(0, true) : null
}

/** The attributes of a node that have one value. Numbers are 64-bit floats, as JSON does not tell integers from floats. Throws `memory_limit`. */
export function attributesOf(document: JsonObject): readonly Attribute[] {
  requireFewColumns(Object.keys(document).length)
  return Object.entries(document).flatMap(([name, json]) => {
    const value = attributeValue(json)
    return value === null ? [] : [{ name, value }]
  })
}

function attributeValue(json: Json): AttributeValue | null {
  switch (typeof json) {
    case 'number':
    case 'bigint':
      return { kind: 'numbers', element: { kind: 'float', bits: 64 }, values: [json] }
    case 'string':
      return { kind: 'text', value: json }
    case 'boolean':
      return { kind: 'boolean', value: json }
    default:
      return null
  }
}

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
