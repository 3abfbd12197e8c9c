import assert from 'node:assert/strict'
import t from 'tap'
import { planTopUnits, type TopUnits } from '../../../src/main/query/plan/top/top-units.ts'
import { columnExpression } from '../../../src/plan/expression.ts'
import type { ScanSpec } from '../../../src/plan/scan.ts'
import { runToEnd } from '../../../src/plan/steps.ts'
import type { KeyMark } from '../../../src/plan/task/task.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import { type DataType, field } from '../../../src/plan/types/schema.ts'
import { PARQUET } from '../../formats/product.ts'
import { fc } from '../../support/generate.ts'
import { listedUnits } from '../../support/listed-units.ts'
import { interpret } from '../generated/interpret.ts'

const INT: DataType = { kind: 'int', bits: 64, signed: true }

type Key = bigint | null

interface Case {
  readonly units: readonly (readonly Key[])[]
  readonly limit: number
  readonly isDescending: boolean
  readonly areNullsFirst: boolean
  /** The number of units that are requested before the first one has answered. */
  readonly ahead: number
}

const cases = (lengths: { maxLength: number; most: bigint }): fc.Arbitrary<Case> =>
  fc.record({
    units: fc.array(
      fc.array(fc.option(fc.bigInt({ min: 0n, max: lengths.most }), { freq: 8 }), {
        minLength: 1,
        maxLength: lengths.maxLength,
      }),
      { minLength: 1, maxLength: 12 },
    ),
    limit: fc.integer({ min: 1, max: 30 }),
    isDescending: fc.boolean(),
    areNullsFirst: fc.boolean(),
    ahead: fc.integer({ min: 1, max: 4 }),
  })

t.test('the first rows of all units are the first of what is read', async () => {
  fc.assert(
    fc.property(cases({ maxLength: 40, most: 60n }), (each) => {
      const { found } = run(each)
      const expected = each.units.flat().sort(by(each)).slice(0, each.limit)
      assert.deepEqual(found.sort(by(each)).slice(0, each.limit), expected)
    }),
    { numRuns: 2_000 },
  )
})

t.test('units that hold equal parts of the first rows give no more than their part of them', async (t) => {
  const rows = 1_000
  const units = Array.from({ length: 20 }, (_, unit) =>
    Array.from({ length: rows }, (_, row) => BigInt(((row * 7_919 + unit * 104_729) % 1_000) * 20 + unit)),
  )
  const limit = 100
  const { found } = run({ units, limit, isDescending: true, areNullsFirst: false, ahead: 1 })
  t.ok(found.length < 6 * limit, `${found.length} rows of ${units.length} units`)
})

/** The rows that the units return, if each is requested when it is its turn, for rows that may be among the first. */
function run({ units, limit, isDescending, areNullsFirst, ahead }: Case): { readonly found: Key[] } {
  const sort = { column: 0, isDescending, areNullsFirst }
  const scan: ScanSpec = {
    format: PARQUET,
    columns: [{ name: 'key', type: INT }],
    filter: null,
    projection: [{ expression: columnExpression('key', INT), field: field('key', INT) }],
  }
  const top = runToEnd(
    planTopUnits({
      scan,
      fragment: { kind: 'top', order: [sort], limit },
      units: listedUnits(
        units.map((keys, file) => ({
          kind: 'rows',
          file,
          segment: 0,
          from: 0,
          to: keys.length,
          decodedBytes: 8,
        })),
      ),
      keyOf: () => ({ statistics: null, rows: null }),
    }),
  )
  const found: Key[] = []
  const marks: (readonly KeyMark[])[] = []
  for (let index = 0; index < top.units.count; index++) {
    const { file } = top.units.at(index)
    const rows = firstOf(top, index, units[file] ?? [], { limit, by: by({ isDescending, areNullsFirst }) })
    found.push(...rows)
    marks.push(marksOf(rows))
    if (index >= ahead - 1) top.addMarks(marks[index - ahead + 1] ?? [])
  }
  return { found }
}

function firstOf(
  top: TopUnits,
  index: number,
  keys: readonly Key[],
  { limit, by }: { readonly limit: number; readonly by: (a: Key, b: Key) => number },
): Key[] {
  const request = top.requestOf(index)
  if (request === null) return []
  const { filter } = request.scan
  const passing = keys.filter((key) => filter === null || interpret(filter, () => key) === true)
  return passing.sort(by).slice(0, limit)
}

/** The marks that a worker returns for rows. */
function marksOf(rows: readonly Key[]): readonly KeyMark[] {
  const ends = [1, 2, 3, 4].map((part) => Math.floor((rows.length * part) / 4))
  return ends.flatMap((end, place) => {
    const from = ends[place - 1] ?? 0
    const key = rows[end - 1]
    return end === from || key === undefined ? [] : [{ key: scalar(key), rows: end - from }]
  })
}

function scalar(key: Key): Scalar | null {
  return key === null ? null : { kind: 'int', value: key }
}

function by({ isDescending, areNullsFirst }: Pick<Case, 'isDescending' | 'areNullsFirst'>) {
  return (a: Key, b: Key): number => {
    if (a === null || b === null) return (Number(b === null) - Number(a === null)) * (areNullsFirst ? 1 : -1)
    return (isDescending ? -1 : 1) * Number(a > b ? 1 : a < b ? -1 : 0)
  }
}
