import assert from 'node:assert/strict'
import t from 'tap'
import { cutGrid } from '../../../src/main/query/plan/grid/cut-grid.ts'
import { answerByStatistics } from '../../../src/main/query/plan/known-answer.ts'
import { columnsIn } from '../../../src/main/query/source/column-in-file.ts'
import { boxAt } from '../../../src/plan/source/grid-units.ts'
import type { FileSummary } from '../../../src/plan/source/segments.ts'
import type { ColumnStatistics } from '../../../src/plan/source/statistics.ts'
import { runToEnd } from '../../../src/plan/steps.ts'
import { type DataType, field } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'
import { planOf } from '../bound.ts'
import { cellsOfBox, cellsOfGrid } from '../cells-of-boxes.ts'
import { interpret } from '../generated/interpret.ts'

const INT: DataType = { kind: 'int', bits: 64, signed: true }
const NAMES = ['x', 'y', 'z'] as const

const MOST_INDICES = 8
const coordinate = (minLength: number) =>
  fc.array(fc.option(fc.integer({ min: 0, max: 9 }), { freq: 8 }), { minLength, maxLength: MOST_INDICES })

/** One axis: the values of its coordinate, the statistics of these, and its chunks. The first one has a second coordinate, `w`. */
const axis = fc.record({
  values: coordinate(1),
  second: coordinate(MOST_INDICES),
  isSecondTold: fc.boolean(),
  isSorted: fc.boolean(),
  chunk: fc.integer({ min: 1, max: 5 }),
  block: fc.integer({ min: 1, max: 4 }),
  isTold: fc.boolean(),
  isExact: fc.boolean(),
})

type AxisCase = typeof axis extends fc.Arbitrary<infer T> ? T : never

const value = fc.integer({ min: -1, max: 10 })
/** Conditions on coordinates, on a value of each cell, and on a column that the file does not have. */
const condition = fc.oneof(
  fc.record({ column: fc.constantFrom('x', 'y', 'z', 'v', 'w', 'absent'), min: value, max: value }),
  fc.record({ column: fc.constantFrom(...NAMES), eq: value }),
  fc.record({ column: fc.constantFrom(...NAMES, 'w'), gt: value }),
  fc.record({ is_null: fc.record({ column: fc.constantFrom('x', 'y', 'v', 'w') }) }),
  fc.record({ is_not_null: fc.record({ column: fc.constantFrom('x', 'absent') }) }),
)
const filter = fc.oneof(
  { weight: 3, arbitrary: condition },
  fc.record({ or: fc.array(condition, { minLength: 1, maxLength: 3 }) }),
  fc.record({ and: fc.array(condition, { minLength: 1, maxLength: 3 }) }),
)

const cases = fc.record({
  axes: fc.array(axis, { minLength: 1, maxLength: 3 }),
  filters: fc.array(filter, { minLength: 1, maxLength: 3 }),
  rows: fc.integer({ min: 1, max: 60 }),
  joinedRows: fc.integer({ min: 1, max: 60 }),
  chunks: fc.integer({ min: 1, max: 8 }),
  limit: fc.integer({ min: 1, max: 100 }),
  isAtomic: fc.boolean(),
})

function valuesOf({ values, isSorted }: AxisCase): readonly (number | null)[] {
  return isSorted ? values.toSorted((a, b) => Number(a ?? 99) - Number(b ?? 99)) : values
}

function statisticsOf(values: readonly (number | null)[], isExact: boolean): ColumnStatistics {
  const known = values.filter((each) => each !== null)
  const nulls = values.length - known.length
  if (known.length === 0) return { nulls }
  const min = { kind: 'int', value: BigInt(Math.min(...known)) } as const
  const max = { kind: 'int', value: BigInt(Math.max(...known)) } as const
  return { min, max, nulls, ...(isExact && { isMinExact: true, isMaxExact: true }) }
}

function summaryOf(axes: readonly AxisCase[], isAtomic: boolean): FileSummary {
  const fields = [...NAMES.slice(0, axes.length), 'v', 'w'].map((name) => field(name, INT))
  return {
    schema: { fields, metadata: {} },
    statistics: {},
    segments: {
      kind: 'grid',
      shape: axes.map(({ values }) => values.length),
      chunk: axes.map(({ chunk }) => chunk),
      isAtomic,
      decodedBytes: fields.map(() => 8),
      axes: axes.map((each, dimension) => {
        const values = valuesOf(each)
        const blocks = Math.ceil(values.length / each.block)
        const toldOf = (of: readonly (number | null)[]) =>
          Array.from({ length: blocks }, (_, block) =>
            statisticsOf(of.slice(block * each.block, (block + 1) * each.block), each.isExact),
          )
        const others = [{ column: 'w', statistics: toldOf(each.second.slice(0, values.length)) }]
        return {
          dimension,
          column: NAMES[dimension] ?? '',
          block: each.block,
          statistics: each.isTold ? toldOf(values) : [],
          ...(dimension === 0 && each.isSecondTold && { others }),
        }
      }),
    },
  }
}

/** The value of a cell, which depends on all of its indices. */
function cellValue(indices: readonly number[]): bigint {
  return BigInt(indices.reduce((sum, each, place) => sum + each * (3 + place), 0) % 11)
}

type Cell = Readonly<Record<string, bigint | string | null>>

function cellsOf(cells: readonly (readonly number[])[], axes: readonly AxisCase[]): Cell[] {
  return cells.map((each) => {
    const coordinates = axes.map((one, place) => {
      const found = valuesOf(one)[each[place] ?? 0] ?? null
      return [NAMES[place], found === null ? null : BigInt(found)]
    })
    const second = axes[0]?.second[each[0] ?? 0] ?? null
    const w = second === null ? null : BigInt(second)
    return { ...Object.fromEntries(coordinates), w, v: cellValue(each), absent: null, at: each.join() }
  })
}

function valueIn(cell: Cell, name: string): bigint | null {
  const value = cell[name] ?? null
  return typeof value === 'string' ? null : value
}

t.test('index ranges hold every cell that passes, and counts from statistics are exact', async (t) => {
  let pruned = 0
  let counted = 0
  let unfiltered = 0
  const property = fc.property(cases, ({ axes, filters, rows, joinedRows, chunks, limit, isAtomic }) => {
    const summary = summaryOf(axes, isAtomic)
    const here = filters.map((each) =>
      JSON.parse(
        JSON.stringify(each)
          .replaceAll('"z"', axes.length > 2 ? '"z"' : '"x"')
          .replaceAll('"y"', axes.length > 1 ? '"y"' : '"x"'),
      ),
    )
    const names = summary.schema.fields.map(({ name }) => name)
    const types = Object.fromEntries([...names, 'absent'].map((name) => [name, INT]))
    const plan = planOf({ select: names, filters: here }, types)
    const { segments } = summary
    if (segments.kind !== 'grid') throw new TypeError('a list')
    const predicate = plan.scan.filter
    assert.ok(predicate)
    const columns = columnsIn(summary, plan.scan)
    const limits = { rows, bytes: 1e9, chunks, fewRows: 1, joinedRows }
    const cut = runToEnd(cutGrid(segments, predicate, columns, () => 8, limit, limits))
    const grid = {
      kind: 'grid',
      first: 0,
      count: cut.units,
      skipped: 0,
      file: 0,
      axes: cut.axes,
      rowBytes: 8,
      tileBytes: null,
      chunk: cut.chunk,
    } as const
    const boxes = Array.from({ length: cut.units }, (_, index) => boxAt(grid, index))
    const read = cellsOf(boxes.flatMap(cellsOfBox), axes)
    const passes = (cell: Cell): boolean =>
      interpret(predicate, (operand) =>
        operand.kind === 'column' ? valueIn(cell, operand.column) : null,
      ) === true
    const whole = cellsOf(cellsOfGrid(segments), axes)
    const expected = whole.filter(passes)
    assert.deepEqual(read.filter(passes), expected, 'in their order, chunk by chunk')
    assert.equal(cut.rows, read.length)
    pruned += whole.length - read.length
    if (cut.passing !== null) {
      counted++
      assert.equal(cut.passing, expected.length)
    }
    if (cut.isAllPassing) {
      unfiltered++
      assert.ok(read.every(passes), 'rows that are not filtered pass')
    }
    const aggregates = [
      { kind: 'count_rows' },
      { kind: 'count', argument: 0 },
      { kind: 'min', argument: 0 },
      { kind: 'max', argument: 0 },
    ] as const
    for (const aggregate of aggregates) {
      const grouping = { keys: [], aggregates: [aggregate], having: null }
      const known = runToEnd(
        answerByStatistics({ scan: plan.scan, finish: { ...plan.finish, grouping } }, [summary]),
      )
      if (known === null) continue
      const values = expected.flatMap((cell) => valueIn(cell, 'x') ?? [])
      const sorted = values.toSorted((a, b) => Number(a - b))
      const exact = {
        count_rows: BigInt(expected.length),
        count: BigInt(values.length),
        min: sorted[0] ?? null,
        max: sorted.at(-1) ?? null,
      }[aggregate.kind]
      assert.deepEqual(known[0]?.value ?? null, exact, aggregate.kind)
    }
  })
  fc.assert(property, { numRuns: 3000 })
  t.ok(pruned > 1000, `cells are left out: ${pruned}`)
  t.ok(counted > 100, `some are counted: ${counted}`)
  t.ok(unfiltered > 10, `some are not filtered: ${unfiltered}`)
})
