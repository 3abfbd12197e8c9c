import { productOf } from '../../../plan/product-of.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { Column } from '../column.ts'
import type { Instance } from '../instance.ts'
import { assemble } from '../kernels/assembly.ts'
import type { BoxSlab, BoxSpec } from './box-column.ts'
import { elementWidth } from './box-spec.ts'

/**
 * A column of a slab that has the elements of the box and no others, as they are in columns: they are copied once, or if they are in the
 * core not at all. Null: the elements of the slab have to be put in their places, or decoded, or numbers among them may be null.
 */
export function columnOfWholeSlab(instance: Instance, spec: BoxSpec, slab: BoxSlab): Column | null {
  if ((slab.kind !== 'elements' && slab.kind !== 'inflated') || !isStored(spec)) return null
  const { bytes, stride, offset, isBigEndian, isShuffled, origin, extent } = slab
  const width = elementWidth(spec.element)
  const rows = productOf(spec.shape)
  const isInPlace =
    !isBigEndian &&
    !isShuffled &&
    stride === width &&
    offset === 0 &&
    (bytes instanceof Uint8Array ? bytes.length === rows * width : bytes.length >= rows * width) &&
    isSame(origin, spec.origin) &&
    isSame(extent, spec.shape)
  if (!isInPlace) return null
  const column =
    bytes instanceof Uint8Array
      ? assemble(instance, { layout: 'fixed', parameter: width, rows, buffers: [null, bytes] })
      : (instance.call('inflated_column', width, rows) as Column)
  return spec.fills.length === 0 ? column : (instance.call('box_without_nan', column, width) as Column)
}

/** Whether numbers lie in the box in the order of the array, and none is null except each NaN. */
function isStored({ element, decoding, fills, axes, shape }: BoxSpec): boolean {
  return (
    (element.kind === 'int' || element.kind === 'float') &&
    decoding.kind === 'stored' &&
    (fills.length === 0 || (element.kind === 'float' && fills.every(isNan))) &&
    axes.length === shape.length &&
    axes.every((axis, dimension) => axis === dimension)
  )
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}

function isNan(fill: Scalar): boolean {
  return fill.kind === 'float' && Number.isNaN(fill.value)
}
