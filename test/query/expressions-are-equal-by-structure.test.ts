import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { scanSpec } from '../../src/main/query/bind/columns.ts'
import { printExpression } from '../../src/main/query/explain/print-expression.ts'
import {
  callExpression,
  columnExpression,
  columnsOfExpressions,
  constantExpression,
  type Expression,
  expressionKey,
} from '../../src/plan/expression.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { PARQUET } from '../formats/product.ts'
import { fc } from '../support/generate.ts'

const INT: DataType = { kind: 'int', bits: 32, signed: true }
const FLOAT: DataType = { kind: 'float', bits: 64 }
const TEXT: DataType = { kind: 'utf8' }

/** A few names and values, some of which look like the syntax of a key. */
const names = fc.constantFrom('a', 'b', '', 'column a', '1:a', '3:abs 8:column a', 'a 8:column b')
const constants: fc.Arbitrary<Expression> = fc.oneof(
  fc.constantFrom(0, -0, 1.5, Number.NaN).map((value) => constantExpression({ kind: 'float', value }, FLOAT)),
  fc.constantFrom(0n, 1n).map((value) => constantExpression({ kind: 'int', value }, INT)),
  names.map((text) => constantExpression({ kind: 'bytes', value: Buffer.from(text) }, TEXT)),
  fc.constantFrom(TEXT, INT).map((type) => constantExpression(null, type)),
)
const { expression: expressions } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    names.map((name) => columnExpression(name, FLOAT)),
    constants,
    fc
      .tuple(names, fc.array(tie('expression'), { maxLength: 3 }))
      .map(([name, args]) => callExpression(name, args)),
  ),
}))

const sameExpression = (one: Expression, other: Expression): boolean =>
  expressionKey(one) === expressionKey(other)

t.test('two expressions have one key if they have one structure, and else two', async () => {
  fc.assert(
    fc.property(expressions, expressions, (one, other) => {
      const isEqual = isDeepStrictEqual(one, other)
      return sameExpression(one, other) === isEqual
    }),
    { numRuns: 20_000 },
  )
  fc.assert(fc.property(expressions, (one) => sameExpression(one, structuredClone(one))))
})

t.test('a column is its name, a constant what it is and of which type', async (t) => {
  t.ok(sameExpression(columnExpression('a', INT), columnExpression('a', FLOAT)))
  const constant = (value: Scalar, type: DataType): Expression => constantExpression(value, type)
  t.notOk(
    sameExpression(constant({ kind: 'int', value: 1n }, INT), constant({ kind: 'float', value: 1 }, FLOAT)),
  )
  t.notOk(sameExpression(constantExpression(null, INT), constantExpression(null, FLOAT)))
  t.ok(
    sameExpression(
      constant({ kind: 'float', value: Number.NaN }, FLOAT),
      constant({ kind: 'float', value: Number.NaN }, FLOAT),
    ),
  )
})

const ROUNDED = callExpression('round', [
  columnExpression('depth (m)', FLOAT),
  callExpression('coalesce', [
    columnExpression('digits', INT),
    constantExpression({ kind: 'int', value: 1n }, INT),
    columnExpression('depth (m)', FLOAT),
  ]),
])

t.test('its columns come in the order in which they are named, its text as it is nested', async (t) => {
  t.same(columnsOfExpressions([ROUNDED, columnExpression('a', INT)]), ['depth (m)', 'digits', 'a'])
  t.equal(printExpression(ROUNDED), 'round("depth (m)", coalesce(digits, Int32(1), "depth (m)"))')
})

t.test('an expression is of values: a dictionary is how a column has them', async (t) => {
  const dictionary: DataType = { kind: 'dictionary', index: INT as never, value: TEXT, ordered: false }
  t.same(columnExpression('a', dictionary).type, TEXT)
})

t.test('a scan is never planned with a function whose type only DuckDB tells', async (t) => {
  const fields = [field('a', FLOAT)]
  const call = callExpression('abs', [columnExpression('a', FLOAT)])
  const projection = [{ expression: call, field: field('x', FLOAT) }]
  t.throws(() => scanSpec(PARQUET, null, projection, fields, []), /DuckDB alone evaluates/)
  const typed = callExpression('abs', [columnExpression('a', FLOAT)], FLOAT)
  const { columns } = scanSpec(PARQUET, null, [{ expression: typed, field: field('x', FLOAT) }], fields, [])
  t.same(columns, [{ name: 'a', type: FLOAT }])
})
