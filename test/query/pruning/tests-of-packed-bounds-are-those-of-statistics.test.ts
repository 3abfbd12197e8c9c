import assert from 'node:assert/strict'
import t from 'tap'
import { columnsIn } from '../../../src/main/query/source/column-in-file.ts'
import { fileTest } from '../../../src/main/query/source/whole/file-test.ts'
import { knownOfFile, SOME_ROWS } from '../../../src/main/query/source/whole/known-in-file.ts'
import { all, any, negation } from '../../../src/plan/condition/combine.ts'
import { type Comparison, compareScalars } from '../../../src/plan/condition/compare.ts'
import {
  between,
  type Condition,
  compare,
  FALSE,
  isNotNull,
  isNull,
  isOneOf,
  TRUE,
  UNKNOWN,
} from '../../../src/plan/condition/condition.ts'
import { mayMatch, mustMatch } from '../../../src/plan/condition/prune.ts'
import { packWhole, type WholeColumn } from '../../../src/plan/source/whole.ts'
import { hullOf } from '../../../src/plan/source/whole-hull.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import { type DataType, field } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'

/** Columns by their types in the file, and in the scan: some are widened, and one is not in the file. */
const COLUMNS: Readonly<Record<string, readonly [inFile: DataType | null, inScan: DataType]>> = {
  f: [
    { kind: 'float', bits: 32 },
    { kind: 'float', bits: 64 },
  ],
  g: [
    { kind: 'float', bits: 64 },
    { kind: 'float', bits: 64 },
  ],
  i: [
    { kind: 'int', bits: 16, signed: true },
    { kind: 'int', bits: 64, signed: true },
  ],
  u: [
    { kind: 'int', bits: 64, signed: false },
    { kind: 'int', bits: 64, signed: false },
  ],
  w: [
    { kind: 'int', bits: 32, signed: true },
    { kind: 'float', bits: 64 },
  ],
  none: [null, { kind: 'float', bits: 64 }],
}
const inFile = Object.entries(COLUMNS).flatMap(([name, [type]]) => (type === null ? [] : field(name, type)))
const SCHEMA = { fields: inFile, metadata: {} }
const SCANNED = Object.entries(COLUMNS).map(([name, [, type]]) => ({ name, type }))

const NUMBERS = [-2, -0, 0, 1, 3, Number.NaN, Number.POSITIVE_INFINITY]
const floats = fc.constantFrom(...NUMBERS).map((value): Scalar => ({ kind: 'float', value }))
const ints = fc
  .constantFrom(-2n, 0n, 1n, 3n, (1n << 63n) - 1n)
  .map((value): Scalar => ({ kind: 'int', value }))
const large = fc.constantFrom(0n, 1n, (1n << 64n) - 1n).map((value): Scalar => ({ kind: 'int', value }))

function scalars(name: string, at: 0 | 1): fc.Arbitrary<Scalar> {
  const type = COLUMNS[name]?.[at]
  if (type?.kind !== 'int') return floats
  return type.signed ? ints : large
}

const predicates = fc.letrec<{ any: Condition }>((tie) => {
  const leaf = fc.constantFrom(...Object.keys(COLUMNS)).chain((name): fc.Arbitrary<Condition> => {
    const type = COLUMNS[name]?.[1] ?? { kind: 'null' }
    const operand = { kind: 'column', column: name, type } as const
    const value = scalars(name, 1)
    const comparison = fc.constantFrom<Comparison>('eq', 'neq', 'gt', 'gt_eq', 'lt', 'lt_eq')
    return fc.oneof(
      fc.tuple(comparison, value).map(([is, than]): Condition => compare(operand, is, than)),
      fc.tuple(value, value).map(([low, high]): Condition => between(operand, low, high)),
      fc.array(value, { minLength: 1, maxLength: 3 }).map((each): Condition => {
        const ascending = each.toSorted(compareScalars)
        const values = ascending.filter(
          (one, at) => at === 0 || compareScalars(one, ascending[at - 1] ?? one) > 0,
        )
        return isOneOf(operand, values)
      }),
      fc.constantFrom<Condition>(isNull(operand), isNotNull(operand)),
    )
  })
  const args = fc.array(tie('any'), { minLength: 1, maxLength: 3 })
  return {
    any: fc.oneof(
      { depthSize: 'small' },
      leaf,
      args.map((each): Condition => all(each)),
      args.map((each): Condition => any(each)),
      tie('any').map((arg): Condition => negation(arg)),
      fc.constantFrom<Condition>(TRUE, FALSE, UNKNOWN),
    ),
  }
}).any

/** What is known of some of the columns of a file. */
const wholes = fc
  .tuple(
    ...inFile.map(({ name }, nth) => {
      const bound = scalars(name, 0)
      const exact = fc.constantFrom<{ isMinExact?: true; isMaxExact?: true }>(
        {},
        { isMaxExact: true },
        { isMinExact: true, isMaxExact: true },
      )
      const known = fc
        .record({
          min: bound,
          max: bound,
          exact,
          nulls: fc.constantFrom(undefined, 0, 1, 4),
          isBounded: fc.boolean(),
        })
        .map(({ min, max, exact, nulls, isBounded }): WholeColumn => {
          const ofNulls = nulls === undefined ? {} : { nulls }
          return {
            field: nth,
            values: 4,
            statistics: isBounded ? { min, max, ...exact, ...ofNulls } : ofNulls,
          }
        })
      return fc.option(known, { nil: null })
    }),
  )
  .map((columns) => packWhole(columns.flatMap((each) => each ?? [])))

t.test('a test that is made once says of each file what its statistics say', async () => {
  const property = fc.property(
    predicates,
    fc.array(wholes, { minLength: 1, maxLength: 4 }),
    (filter, files) => {
      const columns = columnsIn({ schema: SCHEMA }, { columns: SCANNED })
      const test = fileTest(columns, filter)
      for (const whole of files) {
        const statisticsOf = knownOfFile({ whole }, columns)
        assert.equal(test.mayMatch(whole), mayMatch(filter, statisticsOf, SOME_ROWS))
        for (const [index, condition] of test.conditions.entries())
          assert.equal(test.mustPass(index, whole), mustMatch(condition, statisticsOf, SOME_ROWS))
      }
    },
  )
  fc.assert(property, { numRuns: 5_000 })
})

t.test('what is known of several files together holds for each of them', async () => {
  const property = fc.property(
    predicates,
    fc.array(wholes, { minLength: 1, maxLength: 4 }),
    (filter, files) => {
      const test = fileTest(columnsIn({ schema: SCHEMA }, { columns: SCANNED }), filter)
      const hull = hullOf(files)
      for (const whole of files) {
        assert.ok(test.mayMatch(hull) || !test.mayMatch(whole))
        for (const index of test.conditions.keys())
          assert.ok(!test.mustPass(index, hull) || test.mustPass(index, whole))
      }
    },
  )
  fc.assert(property, { numRuns: 5_000 })
})
