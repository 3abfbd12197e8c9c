import t from 'tap'
import { whereNotNull } from '../../src/plan/condition/condition.ts'
import { testOf } from '../../src/plan/condition/test.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import { parseInstant, parseTimeOfDay } from '../../src/plan/types/instant.ts'
import type { DataType, TimeUnit } from '../../src/plan/types/schema.ts'
import { errorOf, filterOf } from './bound.ts'

const timestamp = (unit: TimeUnit, zone: string | null = null): DataType => ({
  kind: 'timestamp',
  unit,
  zone,
})

function bound(type: DataType, operator: string, value: string): unknown {
  const filter = filterOf(type, { [operator]: value })
  const test = filter && testOf(filter)
  return test?.op === 'compare' ? [test.comparison, test.value.value] : filter
}

/** In nanoseconds. */
const ns = (iso: string) => BigInt(Date.parse(iso)) * 1_000_000n

t.test('every way to write an instant', async (t) => {
  const noon = ns('2020-03-01T12:00:00Z')
  for (const text of [
    '2020-03-01T12:00:00',
    '2020-03-01 12:00',
    '2020-03-01t12:00:00z',
    '2020-03-01 12:00:00 Z',
    '2020-03-01T14:30:00+02:30',
    '2020-03-01T10:00:00-0200',
    '2020-03-01 10:00:00-02',
  ]) {
    t.equal(parseInstant(text, null), noon, text)
  }
  t.equal(parseInstant('2020-03-01', null), ns('2020-03-01T00:00:00Z'))
  t.equal(parseInstant('2020-03-01T12:00:00.000000001', null), noon + 1n)
  t.equal(parseInstant('1969-12-31T23:59:59.9', null), -100_000_000n)
  t.equal(parseInstant('0001-01-01', null), ns('0001-01-01T00:00:00Z'))
  for (const text of [
    '',
    '2020',
    '2020-13-01',
    '2021-02-29',
    '2020-01-01T24:00',
    '2020-01-01T00:00:60',
    '2020-01-01T',
    '2020-01-01Z',
  ]) {
    t.equal(parseInstant(text, null), null, text)
  }
  t.equal(parseTimeOfDay('12:00:00.5'), 43_200_500_000_000n)
  t.equal(parseTimeOfDay('12'), null)
})

t.test('a bound between two values of a coarse unit moves to the next one', async (t) => {
  const second = 1_577_836_800n
  t.same(bound(timestamp('second'), 'gt', '2020-01-01T00:00:00'), ['gt', second])
  t.same(bound(timestamp('second'), 'gt', '2020-01-01T00:00:00.5'), ['gt_eq', second + 1n])
  t.same(bound(timestamp('second'), 'lt', '2020-01-01T00:00:00.5'), ['lt_eq', second])
  t.same(
    bound(timestamp('second'), 'eq', '2020-01-01T00:00:00.5'),
    whereNotNull(columnExpression('c', timestamp('second')), false),
  )
  t.same(bound(timestamp('millisecond'), 'lt', '1969-12-31T23:59:59.9999'), ['lt_eq', -1n])
  t.same(bound(timestamp('nanosecond'), 'eq', '2020-01-01 00:00:00.000000001Z'), [
    'eq',
    second * 10n ** 9n + 1n,
  ])
})

t.test('dates and times of day', async (t) => {
  const date: DataType = { kind: 'date', unit: 'day' }
  t.same(bound(date, 'gt_eq', '2020-01-01'), ['gt_eq', 18_262n])
  t.same(bound(date, 'gt_eq', '2020-01-01T00:00:01'), ['gt_eq', 18_263n])
  t.same(bound(date, 'lt', '1969-12-31'), ['lt', -1n])
  t.same(bound({ kind: 'date', unit: 'millisecond' }, 'eq', '1970-01-02'), ['eq', 86_400_000n])
  t.same(bound({ kind: 'time', unit: 'millisecond' }, 'lt', '00:00:01.0005'), ['lt_eq', 1_000n])
})

t.test('without an offset a time is local in the zone of the column', async (t) => {
  const at = (zone: string, text: string) => parseInstant(text, zone)
  t.equal(at('UTC', '2020-07-01T12:00:00'), ns('2020-07-01T12:00:00Z'))
  t.equal(at('+02:00', '2020-07-01T12:00:00'), ns('2020-07-01T10:00:00Z'))
  t.equal(at('Europe/Amsterdam', '2020-07-01T12:00:00'), ns('2020-07-01T10:00:00Z'))
  t.equal(at('Europe/Amsterdam', '2020-01-01T12:00:00'), ns('2020-01-01T11:00:00Z'))
  t.equal(at('America/New_York', '2020-01-01T12:00:00'), ns('2020-01-01T17:00:00Z'))
  t.equal(at('Europe/Amsterdam', '2020-01-01T12:00:00Z'), ns('2020-01-01T12:00:00Z'))
  t.equal(at('Europe/Amsterdam', '2020-10-25T02:30:00'), ns('2020-10-25T00:30:00Z'), 'the first of two')
  t.equal(at('Europe/Amsterdam', '2020-03-29T02:30:00'), ns('2020-03-29T01:30:00Z'), 'skipped')
  t.match(
    errorOf(() => filterOf(timestamp('second', 'Mars/Base'), { eq: '2020-01-01T00:00:00' })),
    /^type_mismatch: filters\[0\].eq: .*Mars\/Base/,
  )
})

t.test('nanoseconds end in 2262', async (t) => {
  for (const text of ['2262-04-12T00:00:00', '1677-09-21T00:00:00']) {
    t.match(
      errorOf(() => filterOf(timestamp('second'), { eq: text })),
      /outside the years 1677 to 2262/,
      text,
    )
  }
  t.match(
    errorOf(() => filterOf(timestamp('nanosecond'), { eq: '3000-01-01' })),
    /outside the years 1677 to 2262/,
  )
  t.same(bound(timestamp('second'), 'eq', '3000-01-01'), ['eq', 32_503_680_000n], 'but a date reaches on')
})
