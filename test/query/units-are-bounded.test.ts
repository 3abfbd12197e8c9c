import t from 'tap'
import { cutInSteps } from '../../src/main/query/plan/units.ts'
import { FIRST_UNIT_ROWS, UNIT_BYTES, UNIT_ROWS } from '../../src/plan/limits.ts'
import { rowsIn } from '../../src/plan/source/range.ts'
import { type FileSummary, list } from '../../src/plan/source/segments.ts'
import { NO_UNITS, type UnitSpace } from '../../src/plan/source/unit-space.ts'
import { runToEnd } from '../../src/plan/steps.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { errorOf, planOf } from './bound.ts'
import { rowsUnits, unitsOf } from './rows-of-units.ts'

const INT: DataType = { kind: 'int', bits: 64, signed: true }
const TEXT: DataType = { kind: 'utf8' }

/** A file with the columns `a` and `text`, whose segments have these numbers of rows and of bytes for each row. */
function file(...segments: readonly { rows: number; textBytes?: number }[]): FileSummary {
  return {
    schema: { fields: [field('a', INT), field('text', TEXT)], metadata: {} },
    segments: list(
      segments.map(({ rows, textBytes = 4 }) => ({
        rows,
        decodedBytes: [rows * 8, rows * textBytes],
        storedBytes: [rows, rows],
      })),
    ),
    statistics: {
      a: segments.map((_, index) => ({
        min: { kind: 'int', value: BigInt(index * 10) },
        max: { kind: 'int', value: BigInt(index * 10 + 9) },
        nulls: 0,
      })),
    },
  }
}

const plan = (request: object) => planOf({ select: ['a'], ...request }, { a: INT, text: TEXT, later: INT })
const ranges = (units: UnitSpace) =>
  rowsUnits(units).map(({ file: index, segment, from, to }) => [index, segment, from, to])

t.test('a small segment is one unit, in file order', async (t) => {
  const { units, pruned, skip } = runToEnd(
    cutInSteps(plan({}), [file({ rows: 10 }, { rows: 20 }), file({ rows: 5 })]),
  )
  t.same(unitsOf(units), [
    { kind: 'rows', file: 0, segment: 0, from: 0, to: 10, decodedBytes: 80 },
    { kind: 'rows', file: 0, segment: 1, from: 0, to: 20, decodedBytes: 160 },
    { kind: 'rows', file: 1, segment: 0, from: 0, to: 5, decodedBytes: 40 },
  ])
  t.same([pruned, skip], [0, 0])
  t.equal(runToEnd(cutInSteps(plan({}), [file({ rows: 0 })])).units.count, 0)
})

t.test('a large one is cut by rows', async (t) => {
  const { units } = runToEnd(cutInSteps(plan({}), [file({ rows: 2 * UNIT_ROWS + 1 })]))
  t.equal(units.count, 4)
  t.ok(unitsOf(units).every((unit) => (rowsIn(unit) ?? 0) <= UNIT_ROWS))
  t.equal(rowsUnits(units).at(-1)?.to, 2 * UNIT_ROWS + 1)
})

t.test('the first of an unfiltered answer is small, so that its rows are soon on their way', async (t) => {
  const large = file({ rows: 4 * FIRST_UNIT_ROWS }, { rows: 4 * FIRST_UNIT_ROWS })
  const [first, second] = [FIRST_UNIT_ROWS, 4 * FIRST_UNIT_ROWS]
  t.same(ranges(runToEnd(cutInSteps(plan({}), [large])).units), [
    [0, 0, 0, first],
    [0, 0, first, second],
    [0, 1, 0, second],
  ])
  const { units, skip } = runToEnd(cutInSteps(plan({ offset: 2 * FIRST_UNIT_ROWS + 1, limit: 1 }), [large]))
  t.same(ranges(units), [[0, 0, 2 * FIRST_UNIT_ROWS, 2 * FIRST_UNIT_ROWS + 1024]])
  t.equal(skip, 1)
  t.equal(runToEnd(cutInSteps(plan({ filter: { column: 'a', min: 0 } }), [large])).units.count, 2)
})

t.test('that with the last row that is wanted has few behind it', async (t) => {
  const large = file({ rows: 4 * FIRST_UNIT_ROWS }, { rows: 4 * FIRST_UNIT_ROWS })
  for (const [offset, limit, expected] of [
    [0, 1, [[0, 0, 0, 1024]]],
    [0, 1024, [[0, 0, 0, 1024]]],
    [0, 1025, [[0, 0, 0, 2048]]],
    [1000, 1000, [[0, 0, 0, 2048]]],
    [
      0,
      FIRST_UNIT_ROWS + 5000,
      [
        [0, 0, 0, FIRST_UNIT_ROWS],
        [0, 0, FIRST_UNIT_ROWS, FIRST_UNIT_ROWS + 8192],
      ],
    ],
  ] as const)
    t.same(
      ranges(runToEnd(cutInSteps(plan({ offset, limit }), [large])).units),
      expected,
      `${offset} ${limit}`,
    )
  const counted = { isStreamed: false, isCounted: false }
  t.same(ranges(runToEnd(cutInSteps(plan({ limit: 1 }), [file({ rows: 5000 })], counted)).units), [
    [0, 0, 0, 5000],
  ])
})

t.test('and by the bytes of the columns that are read', async (t) => {
  const wide = file({ rows: 1_000, textBytes: UNIT_BYTES / 100 })
  t.equal(runToEnd(cutInSteps(plan({}), [wide])).units.count, 1)
  const { units } = runToEnd(cutInSteps(plan({ select: ['text'] }), [wide]))
  t.equal(units.count, 10)
  t.ok(unitsOf(units).every(({ decodedBytes }) => decodedBytes <= UNIT_BYTES))
  const huge = runToEnd(
    cutInSteps(plan({ select: ['text'] }), [file({ rows: 3, textBytes: 2 * UNIT_BYTES })]),
  )
  t.equal(huge.units.count, 3, 'but a unit has a row')
})

t.test(
  'columns that the file lacks and literals have one value in all rows, which is no reason for small units',
  async (t) => {
    const select = [{ value: 'x'.repeat(1 << 20), alias: 'long' }, 'later']
    const { units } = runToEnd(
      cutInSteps(plan({ select }), [file({ rows: UNIT_ROWS })], {
        isStreamed: false,
        isCounted: false,
      }),
    )
    t.same(unitsOf(units), [{ kind: 'rows', file: 0, segment: 0, from: 0, to: UNIT_ROWS, decodedBytes: 0 }])
  },
)

t.test('segments without a hit are left out and counted', async (t) => {
  const files = [file({ rows: 4 }, { rows: 4 }, { rows: 4 })]
  const { units, pruned, skip } = runToEnd(
    cutInSteps(plan({ filter: { column: 'a', min: 12, max: 13 }, offset: 3, limit: 1 }), files),
  )
  t.same(ranges(units), [[0, 1, 0, 4]])
  t.same([pruned, skip], [2, 3], 'how many rows pass is not known, so the offset stays')
  t.match(runToEnd(cutInSteps(plan({ filter: { or: [] } }), files)), {
    units: NO_UNITS,
    pruned: 3,
    skip: 0,
    counted: 0,
  })
  const absent = plan({ filter: { column: 'later', eq: 1 } })
  t.same(runToEnd(cutInSteps(absent, files)).pruned, 3, 'a column that a file lacks is null in it')
  t.same(runToEnd(cutInSteps(plan({ filter: { is_null: { column: 'later' } } }), files)).pruned, 0)
})

t.test('segments with nothing but hits are not read to be counted', async (t) => {
  const files = [file({ rows: 4 }, { rows: 4 }, { rows: 4 })]
  const count = (filter: object) => {
    const { units, counted } = runToEnd(
      cutInSteps(plan({ filter }), files, { isStreamed: false, isCounted: true }),
    )
    return [ranges(units), counted]
  }
  t.same(count({ column: 'a', min: 5 }), [[[0, 0, 0, 4]], 8])
  t.same(count({ is_not_null: { column: 'a' } }), [[], 12])
  t.same(count({ is_null: { column: 'text' } }), [ranges(runToEnd(cutInSteps(plan({}), files)).units), 0])
})

t.test('without a filter, units before the offset and behind the limit are left out', async (t) => {
  const files = [file({ rows: 4 }, { rows: 4 }), file({ rows: 4 }, { rows: 4 })]
  const cut = (offset: number, limit: number | null) => {
    const { units, pruned, skip } = runToEnd(cutInSteps(plan({ offset, limit }), files))
    return [rowsUnits(units).map(({ file: index, segment }) => 2 * index + segment), pruned, skip]
  }
  t.same(cut(0, null), [[0, 1, 2, 3], 0, 0])
  t.same(cut(0, 4), [[0], 3, 0])
  t.same(cut(0, 5), [[0, 1], 2, 0])
  t.same(cut(4, 4), [[1], 3, 0])
  t.same(cut(5, 4), [[1, 2], 2, 1])
  t.same(cut(16, 1), [[], 4, 0])
  t.same(cut(100, null), [[], 4, 84])
  t.same(cut(0, 0), [[], 4, 0])
})

t.test('the number of units is bounded', async (t) => {
  const hostile = file({ rows: Number.MAX_SAFE_INTEGER })
  // Blocks of text files, whose rows have not been counted.
  const block = { rows: null, decodedBytes: [8, 4], storedBytes: [8, 4] }
  const text = { ...file(), segments: list(Array(2_000_001).fill(block)) }
  for (const summary of [hostile, text])
    t.match(
      errorOf(() => runToEnd(cutInSteps(plan({}), [summary]))),
      /^memory_limit: /,
    )
})
