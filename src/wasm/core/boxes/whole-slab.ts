import type { Column } from '../column.ts'
import type { Instance } from '../instance.ts'
import { assemble } from '../kernels/assembly.ts'
import type { BoxSlab, BoxSpec } from './box-column.ts'
import { elementWidth } from './box-spec.ts'

/**
 * A column of a slab that has the elements of the box and no others, as they are in columns: they are copied once. Null: the elements of
 * the slab have to be put in their places, or decoded, or some may be null.
 */
export function columnOfWholeSlab(instance: Instance, spec: BoxSpec, slab: BoxSlab): Column | null {
  if (slab.kind !== 'elements' || !isStored(spec)) return null
  const { bytes, stride, offset, isBigEndian, isShuffled, origin, extent } = slab
  const width = elementWidth(spec.element)
  const rows = spec.shape.reduce((product, length) => product * length, 1)
  const isInPlace =
    !isBigEndian &&
    !isShuffled &&
    stride === width &&
    offset === 0 &&
    bytes.length === rows * width &&
    isSame(origin, spec.origin) &&
    isSame(extent, spec.shape)
  return isInPlace
    ? assemble(instance, { layout: 'fixed', parameter: width, rows, buffers: [null, bytes] })
    : null
}

/** Whether numbers lie in the box in the order of the array, and none is null. */
function isStored({ element, decoding, fills, axes, shape }: BoxSpec): boolean {
  return (
    (element.kind === 'int' || element.kind === 'float') &&
    decoding.kind === 'stored' &&
    fills.length === 0 &&
    axes.length === shape.length &&
    axes.every((axis, dimension) => axis === dimension)
  )
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}
