import type { BoxRange } from '../../plan/source/range.ts'
import type { BoxUnit } from '../../plan/source/unit.ts'
import { chunkBox, chunksOf, intersectionOf } from '../formats/arrays/boxes.ts'
import type { OpenFile } from '../formats/provider.ts'

/**
 * The parts of a unit that are read one by one, in the order of the unit's rows: those in one chunk each if the rows come chunk by chunk. If
 * they come in C order, and `areApart`, parts as large as the chunks of which there are statistics, as far as that is C order too. Null: the
 * unit is read as one.
 */
export function boxesOf(
  unit: BoxUnit,
  { chunked }: Pick<OpenFile, 'chunked'>,
  areApart: boolean,
): Iterable<BoxRange> | null {
  if (unit.chunk !== undefined) return partsOf(unit, unit.chunk)
  return areApart && chunked !== undefined
    ? partsOf(
        unit,
        inOrder(unit, (dimension) => chunked.stepAlong(dimension)),
      )
    : null
}

/** The lengths of parts in C order: behind an axis along which a part has several indices, it has all of them. */
function inOrder(
  { dimensions, extent, origin }: BoxUnit,
  stepAlong: (dimension: number) => number | null,
): readonly number[] {
  let areAll = false
  return dimensions.map((dimension, axis) => {
    const end = (origin[axis] ?? 0) + (extent[axis] ?? 0)
    const length = areAll ? end : (stepAlong(dimension) ?? end)
    areAll ||= Math.min(length, extent[axis] ?? 0) > 1
    return Math.max(1, length)
  })
}

/**
 * The parts of a unit that are in one chunk each, in the C order of the chunks. What only the unit has rows of, only the part in its chunk
 * has.
 */
function* partsOf(unit: BoxUnit, chunk: readonly number[]): Generator<BoxRange> {
  const { dimensions, exclusive } = unit
  for (const position of chunksOf(unit, chunk)) {
    const box = chunkBox(position, chunk)
    yield {
      kind: 'box',
      dimensions,
      ...intersectionOf(box, unit),
      ...(exclusive !== undefined && { exclusive: intersectionOf(box, exclusive) }),
    }
  }
}
