import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { BoxDecoding, BoxSpec } from '../../../../wasm/core/boxes/box-column.ts'
import type { Box } from '../array-file.ts'
import type { Decoding, NumericElement } from '../cf/decoding.ts'
import type { ArrayColumn } from '../columns.ts'

/** A box of the grid. `names` are the dimensions of its axes. */
export interface GridBox extends Box {
  readonly names: readonly string[]
  /** As in `BoxRange`. */
  readonly exclusive?: Box
}

/** How the core makes the rows of a box of the grid of an array. A dimension with one index has the same element all along its axis. */
export function boxSpecOf({ array, dimensions, content }: ArrayColumn, box: GridBox): BoxSpec {
  const axes = dimensions.map(({ name, size }) => {
    const axis = box.names.indexOf(name)
    return size === 1 || axis < 0 ? null : axis
  })
  const origin = originAlong(axes, box)
  const placed = { shape: box.extent, axes, origin }
  if (content.kind === 'numbers') {
    const { decoding } = content
    const fills = decoding.fills.map((fill) => fillOf(decoding.stored, fill))
    return { ...placed, element: decoding.stored, decoding: decodingOfNumbers(decoding), fills }
  }
  if (content.kind === 'names') {
    const { stored: element, names } = content
    return { ...placed, element, decoding: { kind: 'named', names }, fills: [] }
  }
  const fills: readonly Scalar[] = content.fill === null ? [] : [content.fill]
  const chars = array.dimensions[dimensions.length]
  if (chars === undefined) return { ...placed, element: array.element, decoding: { kind: 'stored' }, fills }
  const decoding: BoxDecoding = { kind: 'joined', length: chars.size }
  return { ...placed, origin: [...origin, 0], element: array.element, decoding, fills }
}

/** What differs in the spec of another box along the same axes. */
export function placedIn({ axes, decoding }: BoxSpec, box: GridBox): Pick<BoxSpec, 'shape' | 'origin'> {
  const origin = originAlong(axes, box)
  return { shape: box.extent, origin: decoding.kind === 'joined' ? [...origin, 0] : origin }
}

function originAlong(axes: BoxSpec['axes'], box: GridBox): readonly number[] {
  return axes.map((axis) => (axis === null ? 0 : (box.origin[axis] ?? 0)))
}

/** The box of the array that a column of a spec is made of. */
export function storedBox({ shape, axes, origin, decoding }: BoxSpec): Box {
  const extent = axes.map((axis) => (axis === null ? 1 : (shape[axis] ?? 0)))
  return { origin, extent: decoding.kind === 'joined' ? [...extent, decoding.length] : extent }
}

/**
 * The elements of an array that only the unit of a box needs, around those of the box. Null: other units may need any of them, because along
 * an axis of the grid they are repeated.
 */
export function boxInArray(
  { dimensions }: ArrayColumn,
  spec: BoxSpec,
  { names, exclusive }: GridBox,
): Box | null {
  if (!names.every((axis) => dimensions.some(({ name }) => name === axis))) return null
  const stored = storedBox(spec)
  if (exclusive === undefined) return stored
  const multiplyAlong = (of: readonly number[], stored: readonly number[]): readonly number[] =>
    stored.map((each, index) => {
      const axis = spec.axes[index] ?? null
      return axis === null ? each : (of[axis] ?? each)
    })
  return {
    origin: multiplyAlong(exclusive.origin, stored.origin),
    extent: multiplyAlong(exclusive.extent, stored.extent),
  }
}

function decodingOfNumbers({ packing, time }: Decoding): BoxDecoding {
  if (packing !== null) return { kind: 'scaled', ...packing }
  if (time === null) return { kind: 'stored' }
  return {
    kind: 'instants',
    unit: time.unitNs,
    epoch: time.epochNs,
    calendar: time.isNoleap ? 'noleap' : 'gregorian',
    floats: time.isRounded ? 'microseconds' : 'nanoseconds',
  }
}

function fillOf({ kind }: NumericElement, fill: number | bigint): Scalar {
  return kind === 'int' ? { kind, value: BigInt(fill) } : { kind, value: Number(fill) }
}
