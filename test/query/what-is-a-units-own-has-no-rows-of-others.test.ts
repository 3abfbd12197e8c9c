import assert from 'node:assert/strict'
import t from 'tap'
import { boxAt, countUnits, type UnitAxis } from '../../src/plan/source/grid-units.ts'
import type { IndexRange } from '../../src/plan/source/unit.ts'
import { boxesOf } from '../../src/workers/units/unit-boxes.ts'
import { fc } from '../support/generate.ts'

const axes = fc
  .array(
    fc.record({
      step: fc.integer({ min: 1, max: 6 }),
      part: fc.integer({ min: 1, max: 6 }),
      left: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) =>
    all.map(
      ({ step, part, left }, dimension): UnitAxis => ({
        dimension,
        step,
        part: Math.min(step, part),
        ranges: rangesOf(left),
      }),
    ),
  )
  .filter((all) => all.every(({ ranges }) => ranges.length > 0))

function rangesOf(left: readonly boolean[]): readonly IndexRange[] {
  const ranges: { from: number; to: number }[] = []
  for (const [index, isLeft] of left.entries()) {
    const last = ranges.at(-1)
    if (isLeft && last?.to === index) last.to++
    else if (isLeft) ranges.push({ from: index, to: index + 1 })
  }
  return ranges
}

t.test('the cells that are a unit’s own have all of its rows, and none of any other unit', async () => {
  const property = fc.property(axes, (axes) => {
    const count = countUnits(axes)
    const grid = {
      kind: 'grid',
      first: 0,
      count,
      skipped: 0,
      file: 0,
      axes,
      rowBytes: 8,
      chunk: null,
    } as const
    const units = Array.from({ length: count }, (_, index) => boxAt({ ...grid, tileBytes: 8 }, index))
    for (const [index, { exclusive: own }] of units.entries()) {
      assert.ok(own)
      for (const [other, { origin, extent }] of units.entries()) {
        const shared: number[] = own.origin.map((from, axis) => {
          const begin = origin[axis] ?? 0
          const end = begin + (extent[axis] ?? 0)
          return Math.max(0, Math.min(end, from + (own.extent[axis] ?? 0)) - Math.max(begin, from))
        })
        if (other === index) assert.deepEqual(shared, extent)
        else assert.ok(shared.includes(0), `unit ${other} has rows of what is the own of unit ${index}`)
      }
    }
  })
  fc.assert(property, { numRuns: 500 })
})

interface Box {
  readonly origin: readonly number[]
  readonly extent: readonly number[]
}

/** The number of indices that two boxes share along each axis. */
function sharedBy(a: Box, b: Box): readonly number[] {
  return a.origin.map((from, axis) => {
    const other = b.origin[axis] ?? 0
    const end = Math.min(from + (a.extent[axis] ?? 0), other + (b.extent[axis] ?? 0))
    return Math.max(0, end - Math.max(from, other))
  })
}

t.test('of units that are read chunk by chunk, so do the parts', async () => {
  const chunked = axes.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: all.length, maxLength: all.length }),
    ),
  )
  const property = fc.property(chunked, ([all, chunks]) => {
    // The tiles of units of several chunks are whole chunks.
    const tiles = all.map((axis, index) => {
      const step = axis.step * (chunks[index] ?? 1)
      return { ...axis, step, part: step }
    })
    const chunk = all.map(({ step }) => step)
    const count = countUnits(tiles)
    const grid = {
      kind: 'grid',
      first: 0,
      count,
      skipped: 0,
      file: 0,
      axes: tiles,
      rowBytes: 8,
      chunk,
    } as const
    const units = Array.from({ length: count }, (_, index) => boxAt({ ...grid, tileBytes: 8 }, index))
    const parts = units.flatMap((unit) => [...(boxesOf(unit, {}, false) ?? [])])
    for (const [index, { exclusive }] of parts.entries()) {
      assert.ok(exclusive)
      for (const [other, part] of parts.entries()) {
        const shared = sharedBy(exclusive, part)
        if (other === index) assert.deepEqual(shared, part.extent)
        else assert.ok(shared.includes(0), `part ${other} has rows of what only part ${index} has`)
      }
    }
  })
  fc.assert(property, { numRuns: 100 })
})
