import type { Attribute, Box, Slab, StoredArray } from '../../arrays/array-file.ts'

/** An array along one dimension, whose values are not stored but computed. */
export interface MadeAxis {
  /** That of the array, and of its dimension. */
  readonly name: string
  readonly size: number
  readonly values: MadeValues
}

/** Nanoseconds since 1970, or other numbers, by their index. */
export type MadeValues =
  | { readonly kind: 'times'; valueAt(index: number): bigint }
  | { readonly kind: 'numbers'; valueAt(index: number): number }

const VALUE_BYTES = 8

const NANOSECONDS: readonly Attribute[] = Object.freeze([
  { name: 'units', value: { kind: 'text' as const, value: 'nanoseconds since 1970-01-01' } },
])

export function arrayOfAxis({ name, size, values }: MadeAxis): StoredArray {
  return {
    name,
    element: values.kind === 'times' ? { kind: 'int', bits: 64, signed: true } : { kind: 'float', bits: 64 },
    dimensions: [{ name, size, isInvented: false }],
    chunk: null,
    isAtomic: false,
    storedBytes: 0,
    attributes: [],
    meaning: values.kind === 'times' ? NANOSECONDS : [],
  }
}

/** The values in a box of the array. */
export function slabOfAxis({ values }: MadeAxis, { origin, extent }: Box): Slab {
  const [from = 0, count = 0] = [origin[0], extent[0]]
  const bytes = new Uint8Array(count * VALUE_BYTES)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < count; index++) {
    const at = index * VALUE_BYTES
    if (values.kind === 'times') view.setBigInt64(at, values.valueAt(from + index), true)
    else view.setFloat64(at, values.valueAt(from + index), true)
  }
  const form = { isBigEndian: false, isShuffled: false, stride: VALUE_BYTES, offset: 0 }
  return { origin, extent, kind: 'elements', bytes, ...form }
}
