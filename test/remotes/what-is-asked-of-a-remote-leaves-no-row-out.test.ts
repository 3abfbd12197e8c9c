import t from 'tap'
import { printSelect } from '../../src/main/remotes/print-select.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import type { Predicate } from '../../src/plan/predicate/predicate.ts'
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

function compare(
  name: string,
  type: DataType,
  comparison: 'eq' | 'neq' | 'gt' | 'gt_eq' | 'lt' | 'lt_eq',
  value: Scalar,
): Predicate {
  return { op: 'compare', operand: columnExpression(name, type), comparison, value }
}

/** The condition that is sent for a filter. '': none. */
function where(filter: Predicate): string {
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
  const filter = compare('a', INT, 'gt', int(1n))
  t.equal(
    printSelect({ table: { schema: 's', name: 't' }, columns: ['a'], filter, limit: 7 }).statement,
    `SELECT "a" FROM "s"."t" WHERE "a" > CAST('1' AS BIGINT) LIMIT 7`,
  )
  const wider = compare('a', FLOAT, 'gt', float(1))
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
  const not = (arg: Predicate): Predicate => ({ op: 'not', arg })
  const whole = compare('a', INT, 'lt', int(5n))
  const float1 = compare('b', FLOAT, 'lt', float(1))
  t.equal(where(not(whole)), `NOT ("a" < CAST('5' AS BIGINT))`)
  t.equal(
    where(not({ op: 'or', args: [whole, compare('c', TEXT, 'eq', text('x'))] })),
    `NOT (("a" < CAST('5' AS BIGINT) OR "c" = 'x'))`,
  )
  t.equal(where(not(not(whole))), `NOT (NOT ("a" < CAST('5' AS BIGINT)))`)
  for (const arg of [
    float1,
    compare('c', TEXT, 'lt', text('x')),
    { op: 'and', args: [whole, float1] } as const,
    { op: 'and', args: [whole, { op: 'constant', value: true }] } as const,
    { op: 'or', args: [whole, float1] } as const,
    not(float1),
  ])
    t.equal(where(not(arg)), '')
})

t.test('constants are those of the plan', async (t) => {
  t.equal(where(compare('a', INT, 'eq', int(-5n))), `"a" = CAST('-5' AS BIGINT)`)
  t.equal(where(compare('a', FLOAT, 'lt', float(1e300))), `"a" < CAST('1e+300' AS DOUBLE)`)
  t.equal(where(compare('a', TEXT, 'eq', text("o'clock \\ ünï"))), `"a" = 'o''clock \\ ünï'`)
  t.equal(where(compare('a', { kind: 'bool' }, 'eq', { kind: 'bool', value: false })), '"a" = FALSE')
  t.equal(
    where(compare('a', { kind: 'date', unit: 'day' }, 'gt_eq', int(19_723n))),
    `"a" >= CAST('2024-01-01' AS DATE)`,
  )
  t.equal(
    where(compare('a', TIME, 'lt', int(1_704_067_200_123_456_000n))),
    `"a" < CAST('2024-01-01 00:00:00.123456' AS TIMESTAMP)`,
  )
  t.equal(where(compare('a', PRICE, 'lt', int(-5n))), `"a" < CAST('-0.05' AS DECIMAL(4, 2))`)
  t.equal(where(compare('a', PRICE, 'eq', int(1250n))), `"a" = CAST('12.50' AS DECIMAL(4, 2))`)
  t.equal(
    where({ op: 'between', operand: columnExpression('a', INT), low: int(1n), high: int(2n) }),
    `("a" >= CAST('1' AS BIGINT) AND "a" <= CAST('2' AS BIGINT))`,
  )
  t.equal(
    where({ op: 'in', operand: columnExpression('a', TEXT), values: [text('x'), text('y')] }),
    `("a" = 'x' OR "a" = 'y')`,
  )
  t.equal(where({ op: 'is_null', operand: columnExpression('a', INT) }), '"a" IS NULL')
  t.equal(where({ op: 'is_not_null', operand: columnExpression('a', INT) }), '"a" IS NOT NULL')
})

t.test('both zeros are asked for where one of them passes', async (t) => {
  const zeros = `("a" >= CAST('-0.0' AS DOUBLE) AND "a" <= CAST('0.0' AS DOUBLE))`
  t.equal(where(compare('a', FLOAT, 'eq', float(0))), zeros)
  t.equal(where(compare('a', FLOAT, 'eq', float(-0))), zeros)
  t.equal(where(compare('a', FLOAT, 'gt_eq', float(0))), `"a" >= CAST('-0.0' AS DOUBLE)`)
  t.equal(where(compare('a', FLOAT, 'lt_eq', float(-0))), `"a" <= CAST('0.0' AS DOUBLE)`)
})

t.test('what services may read in another way is applied here', async (t) => {
  const sent = compare('a', INT, 'gt', int(1n))
  const inner: readonly Predicate[] = [
    compare('b', FLOAT, 'gt', float(Number.NaN)),
    compare('b', FLOAT, 'lt', float(Number.POSITIVE_INFINITY)),
    compare('b', TEXT, 'eq', text('a\0b')),
    compare('b', TEXT, 'eq', text(new Uint8Array([0xff]))),
    compare('b', TEXT, 'eq', text('x'.repeat(5000))),
    compare('b', { kind: 'int', bits: 64, signed: false }, 'lt', int(2n ** 63n)),
    compare('b', TIME, 'lt', int(1n)),
    compare('b', PRICE, 'lt', int(10_000n)),
    compare('b', { ...TIME, zone: 'UTC' } as DataType, 'lt', int(1_000n)),
    compare('b', { kind: 'timestamp', unit: 'second', zone: null }, 'lt', int(10n ** 15n)),
    compare('b', { kind: 'binary' }, 'eq', text('x')),
    { op: 'not', arg: compare('b', FLOAT, 'eq', float(1)) },
    { op: 'constant', value: true },
    {
      op: 'in',
      operand: columnExpression('b', INT),
      values: Array.from({ length: 300 }, (_, i) => int(BigInt(i))),
    },
    { op: 'or', args: [compare('b', INT, 'eq', int(1n)), { op: 'constant', value: false }] },
  ]
  for (const [index, kept] of inner.entries()) {
    t.equal(where(kept), '', `${index}`)
    const { statement, appliedHere } = printSelect({
      table: { schema: 's', name: 't' },
      columns: ['a'],
      filter: { op: 'and', args: [sent, kept] },
      limit: 5,
    })
    t.equal(statement, `SELECT "a" FROM "s"."t" WHERE "a" > CAST('1' AS BIGINT)`, `${index}`)
    t.same(appliedHere, [kept])
  }
})
