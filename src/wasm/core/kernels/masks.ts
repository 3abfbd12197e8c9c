import type { Comparison } from '../../../plan/condition/compare.ts'
import type { Geometry } from '../../../plan/geometry/geometry.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { Column, Mask } from '../column.ts'
import { compareConstants, constantBytes } from '../constants.ts'
import type { Core } from '../core.ts'
import type { Instance } from '../instance.ts'
import { typeCode } from '../type-code.ts'

type Masks = Pick<
  Core,
  | 'compare'
  | 'between'
  | 'isIn'
  | 'isNull'
  | 'isNotNull'
  | 'within'
  | 'filled'
  | 'inRuns'
  | 'anyTrue'
  | 'and'
  | 'or'
  | 'not'
  | 'count'
  | 'anyTrue'
  | 'freeMask'
>

/** The operators with their codes in `mask_compare` (`src/abi/masks.rs`). */
const OPERATORS: Readonly<Record<Comparison | 'between' | 'in', number>> = Object.freeze({
  eq: 0,
  neq: 1,
  gt: 2,
  gt_eq: 3,
  lt: 4,
  lt_eq: 5,
  between: 6,
  in: 7,
})

/** The code of rows for which a mask is neither true nor false. */
const UNKNOWN = 2

export function createMasks(instance: Instance): Masks {
  const test = (
    column: Column,
    type: DataType,
    operator: keyof typeof OPERATORS,
    constants: readonly Scalar[],
  ): Mask => {
    instance.setArguments(constantBytes(constants))
    const code = typeCode(type)
    return instance.call('mask_compare', column, ...code, OPERATORS[operator], constants.length) as Mask
  }
  return {
    compare: (column, type, comparison, value) => test(column, type, comparison, [value]),
    between: (column, type, low, high) => test(column, type, 'between', [low, high]),
    isIn: (column, type, values) => test(column, type, 'in', values.toSorted(compareConstants)),
    isNull: (column) => instance.call('mask_is_null', column) as Mask,
    isNotNull: (column) => instance.call('mask_is_not_null', column) as Mask,
    within(longitude, longitudeType, latitude, latitudeType, geometry) {
      instance.setArguments(geometryBytes(geometry))
      const [x, y] = [typeCode(longitudeType), typeCode(latitudeType)]
      return instance.call('mask_within', longitude, ...x, latitude, ...y) as Mask
    },
    filled: (rows, value) =>
      instance.call('mask_filled', rows, value === null ? UNKNOWN : Number(value)) as Mask,
    inRuns(rows, runs) {
      instance.setArguments(
        new Uint8Array(Uint32Array.from(runs.flatMap(({ from, to }) => [from, to])).buffer),
      )
      return instance.call('mask_in_runs', rows) as Mask
    },
    and: (left, right) => instance.call('mask_and', left, right) as Mask,
    or: (left, right) => instance.call('mask_or', left, right) as Mask,
    not: (mask) => instance.call('mask_not', mask) as Mask,
    count(mask) {
      instance.call('mask_count', mask)
      return instance.result(0)
    },
    anyTrue: (mask, from, to) => instance.call('mask_any_true', mask, from, to) === 1,
    freeMask(mask) {
      if (!instance.isDead()) instance.call('mask_free', mask)
    },
  }
}

/**
 * Encodes a geometry as `within.rs` reads it, in 64-bit floats: the bounding box; the number of polygons, and of each the number
 * of its rings and the rings; the number of lines and the lines; the points. A ring, a line and the points are each a number of
 * coordinates and the coordinates.
 */
function geometryBytes(geometry: Geometry): Uint8Array {
  const { box, polygons, lines, points } = geometry
  const sizes = [...polygons.flat(), ...lines, points].map((coordinates) => 1 + coordinates.length)
  const numbers = new Float64Array(sizes.reduce((sum, size) => sum + size, box.length + 2 + polygons.length))
  let next = 0
  const push = (number: number): void => {
    numbers[next++] = number
  }
  const pushAll = (coordinates: Float64Array): void => {
    push(coordinates.length)
    numbers.set(coordinates, next)
    next += coordinates.length
  }
  box.forEach(push)
  push(polygons.length)
  for (const rings of polygons) {
    push(rings.length)
    rings.forEach(pushAll)
  }
  push(lines.length)
  lines.forEach(pushAll)
  pushAll(points)
  return new Uint8Array(numbers.buffer)
}
