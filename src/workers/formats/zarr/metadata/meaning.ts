import type { Attribute, AttributeValue } from '../../arrays/array-file.ts'
import { base64Bytes } from './base64.ts'
import type { ElementForm } from './element-form.ts'
import type { Json } from './json.ts'

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
