import t from 'tap'
import type { JsonRequest } from '../../../src/main/query/request/request.ts'
import { parse } from '../bound.ts'

const read = (filter: object, filters: object[] = []) =>
  (parse(JSON.stringify({ select: ['a'], filter, filters })) as JsonRequest).filters

t.test('every spelling of every operator', async (t) => {
  const spellings = {
    eq: ['eq'],
    neq: ['neq', 'not_eq', 'not_equal'],
    gt: ['gt'],
    gt_eq: ['gt_eq', 'min', 'low'],
    lt: ['lt'],
    lt_eq: ['lt_eq', 'max', 'high'],
  }
  for (const [comparison, keys] of Object.entries(spellings)) {
    for (const key of keys) t.match(read({ column: 'a', [key]: 1 }), [{ kind: 'compare', comparison }])
  }
  for (const key of ['is_not_null', 'skip_fill_values', 'skip_missing']) {
    t.match(read({ [key]: { for_query_parameter: 'b' } }), [{ kind: 'is_not_null', column: 'b' }])
  }
  t.match(read({ is_null: { column: 'b' } }), [{ kind: 'is_null', column: 'b' }])
})

t.test('a lower and an upper bound are a range, in any mix', async (t) => {
  for (const low of ['gt_eq', 'min', 'low']) {
    for (const high of ['lt_eq', 'max', 'high']) {
      t.match(read({ column: 'a', [high]: 2, [low]: 1 }), [
        { kind: 'between', low: { value: 1 }, high: { value: 2 } },
      ])
    }
  }
  t.match(read({ column: 'a', low: null, high: 2 }), [{ kind: 'compare', comparison: 'lt_eq' }])
})

t.test('of several operators all hold', async (t) => {
  const order = ['eq', 'neq', 'gt', 'gt_eq', 'lt', 'lt_eq']
  for (const [index, first] of order.entries()) {
    for (const later of order.slice(index + 1)) {
      if (first === 'gt_eq' && later === 'lt_eq') continue
      t.match(read({ [later]: 1, [first]: 2, column: 'a' }), [
        {
          kind: 'and',
          args: [
            { kind: 'compare', comparison: first, value: { value: 2 } },
            { kind: 'compare', comparison: later, value: { value: 1 } },
          ],
        },
      ])
    }
  }
  const geometry = { type: 'Point', coordinates: [1, 2] }
  const point = { longitude_column: 'x', latitude_column: 'y', geometry }
  t.match(read({ ...point, for_query_parameter: 'a', eq: 5, low: 1, max: 2 }), [
    {
      kind: 'and',
      args: [
        { kind: 'between', low: { value: 1 }, high: { value: 2 } },
        { kind: 'compare', comparison: 'eq', value: { value: 5 } },
        { kind: 'within', longitude: 'x', latitude: 'y' },
      ],
    },
  ])
  t.match(read(point), [{ kind: 'within' }])
})

t.test('eq and neq with null are tests for null, if there is no other operator', async (t) => {
  t.same(read({ column: 'a', eq: null }), [{ kind: 'is_null', column: 'a', path: 'filter' }])
  t.same(read({ column: 'a', lt_eq: null, not_eq: null, gt: null }), [
    { kind: 'is_not_null', column: 'a', path: 'filter' },
  ])
  t.match(read({ column: 'a', eq: null, neq: null, gt: 5, lt: null }), [
    { kind: 'compare', comparison: 'gt', value: { value: 5 } },
  ])
})

t.test('lists, booleans, patterns and negations', async (t) => {
  t.match(read({ column: 'a', eq: true }), [{ comparison: 'eq', value: { kind: 'boolean', value: true } }])
  t.match(read({ column: 'a', in: [1, 'x', false], not_in: [] }), [
    {
      kind: 'and',
      args: [
        { kind: 'in', values: [{ value: 1 }, { text: 'x' }, { value: false }] },
        { kind: 'not', arg: { kind: 'in', values: [] } },
      ],
    },
  ])
  t.match(read({ column: 'a', like: 'x%', ilike: '_', regex: '^a' }), [
    {
      kind: 'and',
      args: [
        { kind: 'match', match: 'like', pattern: 'x%' },
        { kind: 'match', match: 'ilike', pattern: '_' },
        { kind: 'match', match: 'regex', pattern: '^a' },
      ],
    },
  ])
  t.match(read({ not: { or: [{ column: 'a', eq: 1 }] } }), [
    { kind: 'not', arg: { kind: 'or', args: [{ kind: 'compare' }] } },
  ])
})

t.test('filter and filters are both applied, in this order', async (t) => {
  t.match(read({ column: 'a', eq: 1 }, [{ column: 'b', eq: 'x' }, { or: [{ and: [] }] }]), [
    { column: 'a', path: 'filter' },
    { column: 'b', value: { kind: 'string' }, path: 'filters[0]' },
    { kind: 'or', args: [{ kind: 'and', args: [] }] },
  ])
})

t.test('only the exact form without a zone is a date-time', async (t) => {
  const kindOf = (text: string) => read({ column: 'a', eq: text })
  for (const text of ['2020-01-01T00:00:00', '2020-01-01T00:00:00.123456789']) {
    t.match(kindOf(text), [{ value: { kind: 'date-time', text } }])
  }
  for (const text of ['2020-01-01', '2020-01-01 00:00:00', '2020-01-01T00:00:00Z', '2020-01-01T00:00', ' ']) {
    t.match(kindOf(text), [{ value: { kind: 'string', text } }])
  }
})
