import { productOf } from '../../../../plan/product-of.ts'
import type { ElementData } from '../stored-zarr.ts'

/** The elements of a chunk at one place of a chain of codecs, in C order. */
export interface ArrayForm {
  readonly data: ElementData
  readonly shape: readonly number[]
}

/** Null: elements have any number of bytes. */
export function elementBytesOf(data: ElementData): number | null {
  switch (data.kind) {
    case 'int':
    case 'float':
      return data.bits / 8
    case 'bool':
      return 1
    case 'fixed':
      return data.length
    case 'variable':
      return null
  }
}

/** Bytes of all elements. Null: they have any number. */
export function bytesOf({ data, shape }: ArrayForm): number | null {
  const elementBytes = elementBytesOf(data)
  return elementBytes === null ? null : elementBytes * productOf(shape)
}
