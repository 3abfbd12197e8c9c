import t from 'tap'
import { didYouMean, nearestName } from '../../../src/plan/nearest-name.ts'
import { errorOf, parse } from '../bound.ts'

const rejected = (request: object): string =>
  errorOf(() => parse(JSON.stringify({ select: ['a'], ...request })))

t.test('the nearest name is at most two edits away', async (t) => {
  const names = ['column', 'alias', 'limit', 'eq']
  for (const [name, nearest] of [
    ['colum', 'column'],
    ['collumn', 'column'],
    ['COLUMN', 'column'],
    ['alais', 'alias'],
    ['alis', 'alias'],
    ['limmitt', 'limit'],
    ['qe', null],
    ['eqq', 'eq'],
    ['e', null],
    ['qx', null],
    ['', null],
    ['colour', null],
    ['limits__', null],
  ] as const)
    t.equal(nearestName(name, names), nearest, name)
  t.equal(nearestName('ab', ['AB', 'ab']), 'AB', 'the first of equally near ones')
  t.equal(nearestName('abcd', ['abxy', 'abcx', 'abyy']), 'abcx', 'fewer edits before an earlier place')
  t.equal(didYouMean('limmit', names), ', did you mean "limit"?')
  t.equal(didYouMean('x'.repeat(100_000), ['y'.repeat(100_000)]), '')
})

t.test('of a filter', async (t) => {
  for (const [member, nearest] of [
    ['colum', 'column'],
    ['gte', 'gt_eq'],
    ['lte', 'lt_eq'],
    ['GT', 'gt'],
    ['ne', 'neq'],
    ['maxx', 'max'],
    ['equals', 'eq'],
    ['geometri', 'geometry'],
    ['latitud_column', 'latitude_column'],
  ])
    t.equal(
      rejected({ filter: { column: 'a', gt: 1, [member ?? '']: 2 } }),
      `invalid_query: filter.${member}: unknown member, did you mean "${nearest}"?`,
    )
  t.equal(
    rejected({ filters: [{ or: [{ colum: 'a', eq: 1 }] }] }),
    'invalid_query: filters[0].or[0].colum: unknown member, did you mean "column"?',
  )
  t.match(
    rejected({ filter: { column: 'a', gt: 1, whatever: 1 } }),
    /^invalid_query: filter\.whatever: unknown member, expected one of column, eq, neq, gt, .*, is_not_null$/,
  )
  t.equal(
    rejected({ filter: { is_null: { column: 'a', gt: 1 } } }),
    'invalid_query: filter.is_null.gt: unknown member, expected one of column, for_query_parameter',
  )
  t.equal(rejected({ filter: { column: 'a', gt: 1, colum: null } }), 'no error', 'null is absent')
  for (const op of ['{"toString": 1}', '[]', '12345678901234567890', 'true', '"~~"'])
    t.match(
      errorOf(() => parse(`{"select": ["a"], "filter": {"column": "a", "op": ${op}}}`)),
      /^invalid_query: filter\.op: unknown member; the operator is itself a member/,
      `an operator may be any value: ${op}`,
    )
  t.equal(
    rejected({ filter: { column: 'a', between: [1, 2] } }),
    'invalid_query: filter.between: unknown member, did you mean "min" and "max"?',
  )
  t.equal(
    rejected({ filters: [{ temperature: { gt: 5 } }] }),
    'invalid_query: filters[0]: no filter in "temperature": write {"column": "temperature", "eq": …}',
  )
})

t.test('of an entry of select', async (t) => {
  const entry = (members: object) => rejected({ select: [members] })
  t.equal(
    entry({ column: 'a', alais: 'b' }),
    'invalid_query: select[0].alais: unknown member, did you mean "alias"?',
  )
  t.equal(entry({ colum: 'a' }), 'invalid_query: select[0].colum: unknown member, did you mean "column"?')
  t.equal(
    entry({ column: 'a', as: 'b' }),
    'invalid_query: select[0].as: unknown member, did you mean "alias"?',
  )
  t.equal(
    entry({ function: 'abs', args: [{ column: 'a', colour: 1 }] }),
    'invalid_query: select[0].args[0].colour: unknown member, expected one of column, alias, function, args, value',
  )
  t.equal(
    entry({ column: 'a', args: [] }),
    'invalid_query: select[0].args: an entry with "column" has no "args"',
  )
  t.equal(
    entry({ column: 'a', value: 1 }),
    'invalid_query: select[0].value: an entry with "column" has no "value"',
  )
  t.equal(entry({ value: 1, function: null, column: null }), 'no error')
  t.equal(
    rejected({ distinct: { on: ['a'], select: ['a'], order: [] } }),
    'invalid_query: distinct.order: unknown member, expected one of on, select',
  )
})

t.test('of an output', async (t) => {
  const output = (members: object) => rejected({ output: members })
  t.equal(
    output({ format: 'csv', formt: 'csv' }),
    'invalid_query: output.formt: unknown member, did you mean "format"?',
  )
  t.match(
    output({ format: [['csv']] }),
    /^invalid_query: output\.format\[0\]: expected .*, found an array$/,
    'a list of one format is that format, and a list of a list is none',
  )
  t.equal(
    output({ format: 'csv', compression: 'zstd' }),
    'invalid_query: output.compression: unknown member, expected one of format',
  )
  t.equal(
    output({ format: { geoparquet: { longitude_colum: 'x' } } }),
    'invalid_query: output.format.geoparquet.longitude_colum: unknown member, did you mean "longitude_column"?',
  )
  t.match(
    output({ format: { odv: { key_colum: 'x' } } }),
    /^invalid_query: output\.format\.odv\.key_colum: unknown member, did you mean "key_column"\?$/,
  )
})
