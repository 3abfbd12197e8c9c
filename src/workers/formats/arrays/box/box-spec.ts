import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { BoxDecoding, BoxSpec } from '../../../../wasm/core/box-column.ts'
import type { Box } from '../array-file.ts'
import type { Decoding, NumericElement } from '../cf/decoding.ts'

/**
 * How the core makes a column of numbers. `axes` are the axes of the box that each dimension of the array lies along, and `origin`
 * the first index along each dimension. Null: the core cannot, and the column is made here. That is so where a dimension with one
 * index is repeated along its axis, and for counts of time that are rounded as cftime rounds them.
 */
export function boxSpecOf(
  decoding: Decoding,
  box: Box,
  dimensions: readonly { readonly size: number }[],
  axes: readonly number[],
  origin: readonly number[],
): BoxSpec | null {
  const isAlongAxes = axes.every((axis, at) => {
    const length = box.extent[axis] ?? -1
    return length >= 0 && (dimensions[at]?.size !== 1 || length === 1)
  })
  const made = isAlongAxes ? decodingOf(decoding) : null
  if (made === null) return null
  const { stored, fills } = decoding
  return {
    shape: box.extent,
    axes,
    origin,
    element: stored,
    decoding: made,
    fills: fills.map((fill) => fillOf(stored, fill)),
  }
}

function decodingOf({ packing, time }: Decoding): BoxDecoding | null {
  if (packing !== null) return { kind: 'scaled', scale: packing.scale, offset: packing.offset }
  if (time === null) return { kind: 'stored' }
  if (time.isRounded) return null
  return {
    kind: 'instants',
    unit: time.unitNs,
    epoch: time.epochNs,
    calendar: 'gregorian',
    floats: 'nanoseconds',
  }
}

function fillOf({ kind }: NumericElement, fill: number | bigint): Scalar {
  return kind === 'int' ? { kind, value: BigInt(fill) } : { kind, value: Number(fill) }
}
