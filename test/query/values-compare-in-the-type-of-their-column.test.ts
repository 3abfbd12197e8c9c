import t from 'tap'
import { testOf } from '../../src/plan/condition/test.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { errorOf, filterOf, testIn } from './bound.ts'

const INT8: DataType = { kind: 'int', bits: 8, signed: true }
const UINT8: DataType = { kind: 'int', bits: 8, signed: false }
const INT64: DataType = { kind: 'int', bits: 64, signed: true }
const UINT64: DataType = { kind: 'int', bits: 64, signed: false }
const FLOAT32: DataType = { kind: 'float', bits: 32 }
const FLOAT64: DataType = { kind: 'float', bits: 64 }
const DECIMAL: DataType = { kind: 'decimal', bits: 128, precision: 9, scale: 2 }
const TEXT: DataType = { kind: 'utf8' }
const BOOL: DataType = { kind: 'bool' }

const raw = (text: string) => JSON.rawJSON(text)
const isOnColumn = (name: string) => ({ name, args: [{ kind: 'column', column: 'c' }] })
/** `c IS NULL AND NULL`, and `c IS NOT NULL OR NULL`. */
const nowhere = { name: 'and', args: [isOnColumn('is_null'), { kind: 'constant', value: null }] }
const everywhere = { name: 'or', args: [isOnColumn('is_not_null'), { kind: 'constant', value: null }] }

/** The comparison and the constant to which `c <operator> value` was bound. */
function bound(type: DataType, operator: string, value: unknown): unknown {
  const filter = filterOf(type, { [operator]: value })
  const test = filter && testOf(filter)
  return test?.op === 'compare' ? [test.comparison, test.value.value] : filter
}

t.test('integers: never rounded or truncated, exact to every digit', async (t) => {
  t.same(bound(INT8, 'gt', 4.9), ['gt_eq', 5n])
  t.same(bound(INT8, 'gt_eq', 1.5), ['gt_eq', 2n])
  t.same(bound(INT8, 'lt', 1.5), ['lt_eq', 1n])
  t.same(bound(INT8, 'lt', -1.5), ['lt_eq', -2n])
  t.same(bound(INT8, 'gt', -1.5), ['gt_eq', -1n])
  t.same(bound(INT64, 'gt', raw('9007199254740993.5')), ['gt_eq', 9_007_199_254_740_994n])
  t.same(bound(INT8, 'eq', raw('4.0')), ['eq', 4n])
  t.match(bound(INT8, 'eq', 4.9), nowhere)
  t.match(bound(INT8, 'neq', 4.9), everywhere)
  t.match(bound(INT8, 'gt', 127.9), nowhere, 'above the last of the type')
  t.match(bound(UINT8, 'gt_eq', -0.5), everywhere)
  t.match(bound(INT64, 'eq', raw('1e-400')), nowhere)
  t.match(testIn(INT8, { in: [4.9, 5, -0.5] }), { op: 'compare', comparison: 'eq', value: { value: 5n } })
  t.match(filterOf(INT8, { in: [4.9] }), nowhere)
  t.match(testIn(INT8, { min: 4.2, max: 6.8 }), { op: 'between', low: { value: 5n }, high: { value: 6n } })
  t.match(filterOf(INT8, { min: 4.2, max: 4.8 }), nowhere, 'no integer lies between')
  t.same(bound(INT64, 'eq', raw('9007199254740993')), ['eq', 9_007_199_254_740_993n])
  t.same(bound(UINT64, 'eq', raw('18446744073709551615')), ['eq', 18_446_744_073_709_551_615n])
  t.same(bound(INT64, 'eq', '-12'), ['eq', -12n])
})

t.test('beyond an integer column the outcome is known', async (t) => {
  for (const [value, above] of [
    [128, true],
    [raw('1e300'), true],
    [-129, false],
  ] as const) {
    t.match(bound(INT8, 'eq', value), nowhere)
    t.match(bound(INT8, 'neq', value), everywhere)
    t.match(bound(INT8, 'gt', value), above ? nowhere : everywhere)
    t.match(bound(INT8, 'gt_eq', value), above ? nowhere : everywhere)
    t.match(bound(INT8, 'lt', value), above ? everywhere : nowhere)
    t.match(bound(INT8, 'lt_eq', value), above ? everywhere : nowhere)
  }
  t.match(testIn(INT8, { min: -300, max: 5 }), {
    op: 'between',
    low: { value: -128n },
    high: { value: 5n },
  })
  t.match(filterOf(INT8, { min: 300, max: 400 }), nowhere)
})

t.test('floats: rounded to the width of the column', async (t) => {
  t.same(bound(FLOAT64, 'gt', 0.1), ['gt', 0.1])
  t.same(bound(FLOAT32, 'gt', 0.1), ['gt', Math.fround(0.1)])
  t.same(bound({ kind: 'float', bits: 16 }, 'gt', 0.1), ['gt', 0.0999755859375])
  t.same(bound(FLOAT64, 'eq', raw('9007199254740993')), ['eq', 9_007_199_254_740_992])
  t.same(bound(FLOAT64, 'eq', 'NaN'), ['eq', Number.NaN])
  t.same(bound(FLOAT32, 'eq', '-inf'), ['eq', Number.NEGATIVE_INFINITY])
  t.same(bound(FLOAT64, 'lt', '1.5'), ['lt', 1.5])
})

t.test('beyond the finite values of a narrow float lie its infinities and NaN', async (t) => {
  const greatest = 3.4028234663852886e38
  t.same(bound(FLOAT32, 'gt', 1e39), ['gt_eq', Number.POSITIVE_INFINITY])
  t.same(bound(FLOAT32, 'lt', 1e39), ['lt_eq', greatest])
  t.same(bound(FLOAT32, 'gt', -1e39), ['gt_eq', -greatest])
  t.same(bound(FLOAT32, 'lt_eq', -1e39), ['lt_eq', Number.NEGATIVE_INFINITY])
  t.match(bound(FLOAT32, 'eq', 1e39), nowhere)
})

t.test('decimals: exact, never rounded or truncated', async (t) => {
  t.same(bound(DECIMAL, 'eq', 0.1), ['eq', 10n])
  t.same(bound(DECIMAL, 'eq', raw('1.50')), ['eq', 150n])
  t.match(bound(DECIMAL, 'eq', 0.001), nowhere)
  t.same(bound(DECIMAL, 'gt', 1.005), ['gt_eq', 101n])
  t.same(bound(DECIMAL, 'lt_eq', 1.005), ['lt_eq', 100n])
  t.same(bound(DECIMAL, 'lt', -1.005), ['lt_eq', -101n])
  t.match(bound(DECIMAL, 'lt', raw('1e300')), everywhere)
  t.match(bound({ ...DECIMAL, bits: 32 } as DataType, 'gt', 21_474_836.475), nowhere, 'the last of the type')
  t.same(bound({ kind: 'decimal', bits: 128, precision: 5, scale: -2 }, 'gt', 150), ['gt_eq', 2n])
  t.same(bound(DECIMAL, 'eq', '0.10'), ['eq', 10n])
})

t.test('text: as its bytes, what looks like a time too', async (t) => {
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text))
  t.same(bound(TEXT, 'gt', 'é'), ['gt', bytes('é')])
  t.same(bound(TEXT, 'eq', '2020-01-01T00:00:00'), ['eq', bytes('2020-01-01T00:00:00')])
  t.same(bound({ kind: 'binary' }, 'eq', 'ab'), ['eq', bytes('ab')])
  t.same(bound({ kind: 'fixed_binary', width: 2 }, 'eq', 'ab'), ['eq', bytes('ab')])
})

t.test('UUIDs: in any case, with hyphens or without', async (t) => {
  const bytes = new Uint8Array(Buffer.from('f59283a47c0e4b5e9a3c0d1f2e3a4b5c', 'hex'))
  for (const text of [
    'f59283a4-7c0e-4b5e-9a3c-0d1f2e3a4b5c',
    'F59283A4-7C0E-4B5E-9A3C-0D1F2E3A4B5C',
    'f59283a47c0e4b5e9a3c0d1f2e3a4b5c',
  ])
    t.same(bound({ kind: 'uuid' }, 'eq', text), ['eq', bytes])
})

t.test('booleans by their names', async (t) => {
  t.same(bound(BOOL, 'eq', 'true'), ['eq', true])
  t.same(bound(BOOL, 'gt', 'false'), ['gt', false])
  t.same(bound(BOOL, 'neq', true), ['neq', true])
})

t.test('a column of nulls is unknown everywhere', async (t) => {
  t.match(bound({ kind: 'null' }, 'neq', 1), nowhere)
  t.match(filterOf({ kind: 'null' }, { min: 'a', max: 'b' }), nowhere)
})

t.test('what does not compare is a clear error', async (t) => {
  const error = (type: DataType, value: unknown) => errorOf(() => filterOf(type, { eq: value }))
  t.equal(
    error(TEXT, 10),
    'type_mismatch: filters[0].eq: column "c" is Utf8, which does not compare with the number 10; a text is in quotes: "10"',
  )
  t.equal(
    error(INT64, 'ten'),
    'type_mismatch: filters[0].eq: column "c" is Int64, which does not compare with the string "ten"; a number is written as 5 or 1.5',
  )
  t.match(
    error(INT64, '2020-01-01T00:00:00'),
    /^type_mismatch: .* with the date-time "2020-01-01T00:00:00"; a number is written as 5 or 1.5$/,
  )
  for (const [type, value] of [
    [FLOAT64, ''],
    [BOOL, 1],
    [BOOL, 'yes'],
    [INT64, true],
    [TEXT, false],
    [{ kind: 'fixed_binary', width: 3 }, 'ab'],
    [{ kind: 'uuid' }, 'f59283a4'],
    [{ kind: 'uuid' }, 'f59283a4-7c0e4b5e-9a3c-0d1f2e3a4b5c'],
    [{ kind: 'date', unit: 'day' }, 1],
    [{ kind: 'date', unit: 'day' }, '2020-02-30'],
    [{ kind: 'timestamp', unit: 'second', zone: null }, 'noon'],
    [{ kind: 'timestamp', unit: 'second', zone: null }, 1],
    [{ kind: 'time', unit: 'second' }, '24:00:00'],
    [{ kind: 'duration', unit: 'second' }, 1],
    [{ kind: 'interval', unit: 'day_time' }, '1 day'],
    [{ kind: 'list', item: { name: 'item', type: INT8, nullable: true, metadata: {} } }, 1],
  ] as const) {
    t.match(error(type, value), /^type_mismatch: /, `${type.kind} and ${JSON.stringify(value)}`)
  }
})
