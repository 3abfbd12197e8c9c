import t from 'tap'
import { type Asked, compareEngines, tablesOf } from '../../sql/select/compare-engines.ts'
import { EXPRESSION_COLUMNS, oddTimes, sqlConditions } from '../../sql/select/sql-expressions.ts'
import { fc } from '../../support/generate.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 2 })

const KINDS = {
  number: ['i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'f32', 'f64', 'price'],
  time: ['day', 'time', 'time_s', 'time_ns'],
  text: ['name', 'lower(name)'],
} as const
type Kind = keyof typeof KINDS

const where = fc.oneof(
  { arbitrary: fc.constant(''), weight: 3 },
  { arbitrary: sqlConditions.map((condition) => ` WHERE ${condition}`), weight: 1 },
  fc.constant(' WHERE i8 > 200'),
)

const COMPARISONS = ['=', '<>', '<', '<=', '>', '>=', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM']

/** A subquery of one value, or of none. Sums and means of floats are left out: their last digit depends on the order of rows. */
function subqueries(kind: Kind, depth = 0): fc.Arbitrary<string> {
  const column = fc.constantFrom(...KINDS[kind])
  const aggregate = fc.tuple(fc.constantFrom('min', 'max'), column).map(([name, of]) => `${name}(${of})`)
  const ofNumbers = fc.constantFrom(
    'count(*)',
    'avg(i16)',
    'sum(i8)',
    'count(DISTINCT i8)',
    'max(i16) + 1',
    'min(f64) * 2',
  )
  const ofGroup = fc
    .tuple(column, fc.constantFrom('DESC', 'ASC NULLS LAST', ''))
    .map(([of, words]) => `(SELECT ${of} FROM $FILES ORDER BY ${of} ${words} LIMIT 1)`)
  const ofRow = fc
    .tuple(column, fc.integer({ min: 0, max: 45 }))
    .map(([of, offset]) => `(SELECT ${of} FROM $FILES AS t ORDER BY "row id" LIMIT 1 OFFSET ${offset})`)
  const ofAll = fc
    .tuple(kind === 'number' ? fc.oneof(aggregate, ofNumbers) : aggregate, where)
    .map(([value, condition]) => `(SELECT ${value} FROM $FILES${condition})`)
  const several = column.map((of) => `(SELECT ${of} FROM $FILES WHERE i8 > 0)`)
  const nested =
    depth > 0
      ? []
      : [
          fc
            .tuple(aggregate, subqueries('number', 1))
            .map(([value, inner]) => `(SELECT ${value} FROM $FILES WHERE f64 < ${inner})`),
        ]
  return fc.oneof({ arbitrary: ofAll, weight: 6 }, ofGroup, ofRow, several, ...nested)
}

/** A column and a subquery of values that it may be compared with. */
const pairs = fc
  .constantFrom<Kind>('number', 'number', 'time', 'text')
  .chain((kind) => fc.tuple(fc.constantFrom(...KINDS[kind]), subqueries(kind)))

const conditions = fc.oneof(
  fc
    .tuple(pairs, fc.constantFrom(...COMPARISONS))
    .map(([[column, subquery], sign]) => `${column} ${sign} ${subquery}`),
  fc
    .tuple(pairs, fc.constantFrom(...COMPARISONS))
    .map(([[column, subquery], sign]) => `NOT ${subquery} ${sign} ${column}`),
  fc.tuple(subqueries('number'), subqueries('number')).map(([low, high]) => `f64 BETWEEN ${low} AND ${high}`),
  fc.tuple(subqueries('number'), subqueries('number')).map((options) => `i32 IN (${options.join(', ')}, 1)`),
  pairs.map(([column, subquery]) => `(${column} > ${subquery} OR ${subquery} IS NULL)`),
  fc.tuple(pairs, pairs).map(([[a, one], [b, other]]) => `${a} >= ${one} AND ${b} <= ${other}`),
)

const expressions = fc.oneof(
  subqueries('number'),
  subqueries('time'),
  subqueries('text'),
  fc
    .tuple(fc.constantFrom('+', '-', '*', '/', '%'), subqueries('number'))
    .map(([sign, subquery]) => `f64 ${sign} ${subquery}`),
  fc
    .tuple(fc.constantFrom('coalesce', 'greatest', 'nullif'), pairs)
    .map(([name, [column, subquery]]) => `${name}(${column}, ${subquery})`),
  fc
    .tuple(pairs, conditions)
    .map(([[column, subquery], test]) => `CASE WHEN ${test} THEN ${column} ELSE ${subquery} END`),
  pairs.map(([column, subquery]) => `${column} <= ${subquery}`),
)

const rows = fc.tuple(expressions, fc.option(conditions, { nil: null })).map(
  ([item, condition]): Asked => ({
    list: `"row id", ${item}`,
    tail: `${condition === null ? '' : ` WHERE ${condition}`} ORDER BY "row id"`,
    isExact: true,
  }),
)
const filtered = conditions.map(
  (condition): Asked => ({
    list: '"row id"',
    tail: ` WHERE ${condition} ORDER BY "row id"`,
    isExact: true,
  }),
)
const grouped = fc.tuple(conditions, subqueries('number')).map(
  ([condition, subquery]): Asked => ({
    list: `flag, count(*) FILTER (WHERE ${condition}) AS n, max(f64) > ${subquery} AS m, ${subquery} AS s`,
    tail: ` GROUP BY flag HAVING max(i16) IS DISTINCT FROM ${subquery} ORDER BY flag`,
    isExact: true,
  }),
)
const ordered = pairs.map(
  ([column, subquery]): Asked => ({
    list: '"row id"',
    tail: ` ORDER BY ${column} > ${subquery}, "row id" LIMIT 7`,
    isExact: true,
  }),
)

const asked = fc.oneof({ arbitrary: rows, weight: 3 }, { arbitrary: filtered, weight: 4 }, grouped, ordered)

t.test('what the core computes with values of subqueries is what DuckDB computes', async (t) => {
  await compareEngines(t, service, tablesOf(EXPRESSION_COLUMNS, oddTimes), asked)
})
