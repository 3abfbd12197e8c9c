import type { BoxRange } from '../../plan/source/range.ts'
import type { BoxUnit } from '../../plan/source/unit.ts'
import type { OpenFile } from '../formats/provider.ts'

/**
 * The parts of a unit that are read one by one, in the order of the unit's rows: those in one chunk each if the rows come chunk by chunk. If
 * they come in C order, and `areApart`, parts as large as the chunks of which there are statistics, as far as that is C order too. Null: the
 * unit is read as one.
 */
export function boxesOf(unit: BoxUnit, file: OpenFile, areApart: boolean): Iterable<BoxRange> | null {
  if (unit.chunk !== undefined) return chunksOf(unit, unit.chunk)
  const { chunked } = file
  return areApart && chunked !== undefined
    ? chunksOf(
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

/** The parts of a box that are in one chunk each, in the C order of the chunks. */
function* chunksOf({ dimensions, origin, extent }: BoxUnit, chunk: readonly number[]): Generator<BoxRange> {
  const end = origin.map((from, axis) => from + (extent[axis] ?? 0))
  const at = [...origin]
  for (;;) {
    const to = at.map((from, axis) => Math.min(end[axis] ?? 0, nextChunk(from, chunk[axis] ?? 1)))
    yield {
      kind: 'box',
      dimensions,
      origin: [...at],
      extent: to.map((each, axis) => each - (at[axis] ?? 0)),
    }
    let axis = at.length - 1
    for (; axis >= 0; axis--) {
      at[axis] = nextChunk(at[axis] ?? 0, chunk[axis] ?? 1)
      if ((at[axis] ?? 0) < (end[axis] ?? 0)) break
      at[axis] = origin[axis] ?? 0
    }
    if (axis < 0) return
  }
}

function nextChunk(index: number, chunk: number): number {
  return (Math.floor(index / chunk) + 1) * chunk
}
