import t from 'tap'
import { printSelect } from '../../src/main/remotes/print-select.ts'
import { all, any, negation } from '../../src/plan/condition/combine.ts'
import {
  between,
  type Condition,
  compare,
  isNotNull,
  isNull,
  isOneOf,
  UNKNOWN,
} from '../../src/plan/condition/condition.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType } from '../../src/plan/types/schema.ts'

const INT: DataType = { kind: 'int', bits: 64, signed: true }
const FLOAT: DataType = { kind: 'float', bits: 64 }
const TEXT: DataType = { kind: 'utf8' }
const PRICE: DataType = { kind: 'decimal', bits: 128, precision: 4, scale: 2 }
const TIME: DataType = { kind: 'timestamp', unit: 'nanosecond', zone: null }

const int = (value: bigint): Scalar => ({ kind: 'int', value })
const float = (value: number): Scalar => ({ kind: 'float', value })
const text = (value: string | Uint8Array): Scalar => ({
  kind: 'bytes',
  value: typeof value === 'string' ? Buffer.from(value) : value,
})

function compareColumn(
  name: string,
  type: DataType,
  comparison: 'eq' | 'neq' | 'gt' | 'gt_eq' | 'lt' | 'lt_eq',
  value: Scalar,
): Condition {
  return compare(columnExpression(name, type), comparison, value)
}

/** The condition that is sent for a filter. '': none. */
function where(filter: Condition): string {
  const select = {
    table: { schema: 's', name: 't' },
    columns: ['a'],
    filter,
    limit: Number.POSITIVE_INFINITY,
  }
  return printSelect(select)
    .statement.replace('SELECT "a" FROM "s"."t"', '')
    .replace(/^ WHERE /, '')
}

t.test('names are quoted, and a limit is sent where nothing is left out afterwards', async (t) => {
  const table = { schema: 's"1', name: 't.x' }
  t.equal(
    printSelect({ table, columns: ['a"b', 'c; DROP'], filter: null, limit: 7 }).statement,
    'SELECT "a""b", "c; DROP" FROM "s""1"."t.x" LIMIT 7',
  )
  const filter = compareColumn('a', INT, 'gt', int(1n))
  t.equal(
    printSelect({ table: { schema: 's', name: 't' }, columns: ['a'], filter, limit: 7 }).statement,
    `SELECT "a" FROM "s"."t" WHERE "a" > CAST('1' AS BIGINT) LIMIT 7`,
  )
  const wider = compareColumn('a', FLOAT, 'gt', float(1))
  const { statement, whyNoLimit } = printSelect({
    table: { schema: 's', name: 't' },
    columns: ['a'],
    filter: wider,
    limit: 7,
  })
  t.equal(statement, `SELECT "a" FROM "s"."t" WHERE "a" > CAST('1' AS DOUBLE)`)
  t.match(whyNoLimit, /all conditions/)
})

t.test('a negation is sent where the same rows pass what it negates', async (t) => {
  const not = (arg: Condition): Condition => negation(arg)
  const whole = compareColumn('a', INT, 'lt', int(5n))
  const float1 = compareColumn('b', FLOAT, 'lt', float(1))
  t.equal(where(not(whole)), `NOT ("a" < CAST('5' AS BIGINT))`)
  t.equal(
    where(not(any([whole, compareColumn('c', TEXT, 'eq', text('x'))]))),
    `NOT (("a" < CAST('5' AS BIGINT) OR "c" = 'x'))`,
  )
  for (const arg of [whole, float1]) t.equal(where(not(not(arg))), where(arg), 'nothing is negated twice')
  for (const arg of [
    float1,
    compareColumn('c', TEXT, 'lt', text('x')),
    all([whole, float1]),
    all([whole, UNKNOWN]),
    any([whole, float1]),
  ])
    t.equal(where(not(arg)), '')
})

t.test('constants are those of the plan', async (t) => {
  t.equal(where(compareColumn('a', INT, 'eq', int(-5n))), `"a" = CAST('-5' AS BIGINT)`)
  t.equal(where(compareColumn('a', FLOAT, 'lt', float(1e300))), `"a" < CAST('1e+300' AS DOUBLE)`)
  t.equal(where(compareColumn('a', TEXT, 'eq', text("o'clock \\ ünï"))), `"a" = 'o''clock \\ ünï'`)
  t.equal(where(compareColumn('a', { kind: 'bool' }, 'eq', { kind: 'bool', value: false })), '"a" = FALSE')
  t.equal(
    where(compareColumn('a', { kind: 'date', unit: 'day' }, 'gt_eq', int(19_723n))),
    `"a" >= CAST('2024-01-01' AS DATE)`,
  )
  t.equal(
    where(compareColumn('a', TIME, 'lt', int(1_704_067_200_123_456_000n))),
    `"a" < CAST('2024-01-01 00:00:00.123456' AS TIMESTAMP)`,
  )
  t.equal(where(compareColumn('a', PRICE, 'lt', int(-5n))), `"a" < CAST('-0.05' AS DECIMAL(4, 2))`)
  t.equal(where(compareColumn('a', PRICE, 'eq', int(1250n))), `"a" = CAST('12.50' AS DECIMAL(4, 2))`)
  t.equal(
    where(between(columnExpression('a', INT), int(1n), int(2n))),
    `("a" >= CAST('1' AS BIGINT) AND "a" <= CAST('2' AS BIGINT))`,
  )
  t.equal(where(isOneOf(columnExpression('a', TEXT), [text('x'), text('y')])), `("a" = 'x' OR "a" = 'y')`)
  t.equal(where(isNull(columnExpression('a', INT))), '"a" IS NULL')
  t.equal(where(isNotNull(columnExpression('a', INT))), '"a" IS NOT NULL')
})

t.test('both zeros are asked for where one of them passes', async (t) => {
  const zeros = `("a" >= CAST('-0.0' AS DOUBLE) AND "a" <= CAST('0.0' AS DOUBLE))`
  t.equal(where(compareColumn('a', FLOAT, 'eq', float(0))), zeros)
  t.equal(where(compareColumn('a', FLOAT, 'eq', float(-0))), zeros)
  t.equal(where(compareColumn('a', FLOAT, 'gt_eq', float(0))), `"a" >= CAST('-0.0' AS DOUBLE)`)
  t.equal(where(compareColumn('a', FLOAT, 'lt_eq', float(-0))), `"a" <= CAST('0.0' AS DOUBLE)`)
})

t.test('what services may read in another way is applied here', async (t) => {
  const sent = compareColumn('a', INT, 'gt', int(1n))
  const inner: readonly Condition[] = [
    compareColumn('b', FLOAT, 'gt', float(Number.NaN)),
    compareColumn('b', FLOAT, 'lt', float(Number.POSITIVE_INFINITY)),
    compareColumn('b', TEXT, 'eq', text('a\0b')),
    compareColumn('b', TEXT, 'eq', text(new Uint8Array([0xff]))),
    compareColumn('b', TEXT, 'eq', text('x'.repeat(5000))),
    compareColumn('b', { kind: 'int', bits: 64, signed: false }, 'lt', int(2n ** 63n)),
    compareColumn('b', TIME, 'lt', int(1n)),
    compareColumn('b', PRICE, 'lt', int(10_000n)),
    compareColumn('b', { ...TIME, zone: 'UTC' } as DataType, 'lt', int(1_000n)),
    compareColumn('b', { kind: 'timestamp', unit: 'second', zone: null }, 'lt', int(10n ** 15n)),
    compareColumn('b', { kind: 'binary' }, 'eq', text('x')),
    negation(compareColumn('b', FLOAT, 'eq', float(1))),
    UNKNOWN,
    isOneOf(
      columnExpression('b', INT),
      Array.from({ length: 300 }, (_, i) => int(BigInt(i))),
    ),
    any([compareColumn('b', INT, 'eq', int(1n)), UNKNOWN]),
  ]
  for (const [index, kept] of inner.entries()) {
    t.equal(where(kept), '', `${index}`)
    const { statement, appliedHere } = printSelect({
      table: { schema: 's', name: 't' },
      columns: ['a'],
      filter: all([sent, kept]),
      limit: 5,
    })
    t.equal(statement, `SELECT "a" FROM "s"."t" WHERE "a" > CAST('1' AS BIGINT)`, `${index}`)
    t.same(appliedHere, [kept])
  }
})
