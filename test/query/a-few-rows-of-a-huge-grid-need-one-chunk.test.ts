import t from 'tap'
import { cutInSteps } from '../../src/main/query/plan/units.ts'
import type { Grid } from '../../src/plan/source/grid.ts'
import { unitAt } from '../../src/plan/source/unit-space.ts'
import { runToEnd } from '../../src/plan/steps.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { planOf } from './bound.ts'

const INT: DataType = { kind: 'int', bits: 64, signed: true }
const FIELDS = [field('v', INT)]

/** 10¹¹ cells in four dimensions. */
const SHAPE = [10_000, 100, 200, 500]

for (const { name, chunk } of [
  { name: 'small chunks', chunk: [1, 1, 10, 20] },
  { name: 'large chunks', chunk: [1, 20, 200, 500] },
  { name: 'none', chunk: SHAPE },
])
  t.test(`LIMIT 10 over 10¹¹ cells reads one chunk: ${name}`, async (t) => {
    const segments: Grid = {
      kind: 'grid',
      shape: SHAPE,
      chunk,
      axes: SHAPE.map((_, dimension) => ({ dimension, column: null, block: 1, statistics: [] })),
      isAtomic: chunk !== SHAPE,
      decodedBytes: [8],
    }
    const summary = { schema: { fields: FIELDS, metadata: {} }, segments, statistics: {} }
    const { units } = runToEnd(cutInSteps(planOf({ select: ['v'], limit: 10 }, { v: INT }), [summary]))
    t.equal(units.count, 1)
    const unit = unitAt(units, 0)
    if (unit.kind !== 'box') throw new TypeError('no box')
    t.ok(
      unit.extent.every((each, axis) => each <= (chunk[axis] ?? 0)),
      'its unit is in one chunk',
    )
    t.ok(unit.extent.reduce((all, each) => all * each, 1) <= 65_536, 'and has few rows')
  })
