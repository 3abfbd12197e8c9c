import t from 'tap'
import { FALSE } from '../../src/plan/condition/condition.ts'
import { errorOf, planOf } from './bound.ts'

const INT = { kind: 'int', bits: 32, signed: true } as const
const FLOAT = { kind: 'float', bits: 64 } as const
const COLUMNS = { a: INT, b: FLOAT, nested: { kind: 'struct', fields: [] } } as const

const columnsOf = (request: object) => planOf(request, COLUMNS).scan.columns.map(({ name }) => name)

t.test('an output name hides a source column of the same name', async (t) => {
  const select = [
    { column: 'a', alias: 'b' },
    { column: 'b', alias: 'a' },
  ]
  const { scan } = planOf({ select, filter: { column: 'a', eq: 1.5 } }, COLUMNS)
  t.match(scan.filter, {
    name: '=',
    args: [
      { column: 'b', type: FLOAT },
      { value: { kind: 'float', value: 1.5 }, type: FLOAT },
    ],
  })
  t.match(scan.projection, [
    { expression: { kind: 'column', column: 'a', type: INT }, field: { name: 'b', type: INT } },
    { expression: { kind: 'column', column: 'b', type: FLOAT }, field: { name: 'a', type: FLOAT } },
  ])
})

t.test('a filter may read a column that is not selected, and it is read first', async (t) => {
  t.same(columnsOf({ select: ['a'], filter: { column: 'b', gt: 0 } }), ['b', 'a'])
  t.same(columnsOf({ select: ['a', { column: 'a', alias: 'x' }] }), ['a'])
  t.same(columnsOf({ select: [{ value: 1 }] }), [])
})

t.test('literals are named as the engine of the reference prints them', async (t) => {
  const { output } = planOf(
    { select: [{ value: 1.5 }, { value: 'x' }, { value: true }, { value: null }] },
    {},
  )
  t.match(output.fields, [
    { name: 'Float64(1.5)', type: FLOAT, nullable: false },
    { name: 'Utf8("x")', type: { kind: 'utf8' }, nullable: false },
    { name: 'Boolean(true)', type: { kind: 'bool' }, nullable: false },
    { name: 'NULL', type: { kind: 'null' }, nullable: true },
  ])
})

t.test('a filter over a literal is decided when the query is planned', async (t) => {
  const filter = (members: object) =>
    planOf(
      {
        select: [
          { value: 2, alias: 'two' },
          { value: null, alias: 'none' },
        ],
        filter: members,
      },
      {},
    ).scan.filter
  t.equal(filter({ column: 'two', min: 1, max: 2 }), null)
  t.equal(filter({ column: 'two', neq: 3 }), null)
  t.equal(filter({ is_not_null: { column: 'two' } }), null)
  t.equal(filter({ is_null: { column: 'none' } }), null)
  t.same(filter({ column: 'two', gt: 2 }), FALSE)
  t.same(filter({ column: 'none', eq: 2 }), FALSE)
  t.same(filter({ is_null: { column: 'two' } }), FALSE)
})

t.test('filters are joined flat, and equalities of one column become one list', async (t) => {
  const filter = (members: object) => planOf({ select: ['a'], filter: members }, COLUMNS).scan.filter
  const eq = (value: number) => ({ column: 'a', eq: value })
  t.equal(filter({ and: [] }), null)
  t.equal(filter({ or: [{ and: [] }, eq(1)] }), null)
  t.same(filter({ or: [] }), FALSE)
  t.same(filter({ and: [eq(1), { or: [] }] }), FALSE)
  t.match(filter({ and: [eq(1), { and: [eq(2), eq(3)] }] }), { name: 'and', args: { length: 3 } })
  t.match(filter({ or: [eq(3), { or: [eq(1), eq(3)] }] }), {
    name: 'in',
    args: [{ column: 'a' }, { value: { value: 1n } }, { value: { value: 3n } }],
  })
  t.match(filter({ or: [{ column: 'b', gt: 1 }, eq(2), { is_null: { column: 'a' } }, eq(1)] }), {
    name: 'or',
    args: [
      { name: '>' },
      { name: 'in', args: [{ column: 'a' }, { value: { value: 1n } }, { value: { value: 2n } }] },
      { name: 'is_null' },
    ],
  })
})

t.test('names that are not there, or there twice, are told', async (t) => {
  const error = (request: object) => errorOf(() => planOf(request, COLUMNS))
  t.equal(
    error({ select: ['A'] }),
    'unknown_column: select[0]: there is no column "A" in obs; did you mean "a"? It has "a", "b", "nested"',
  )
  t.match(error({ select: ['*'] }), /^unknown_column: .*ask in SQL, which has SELECT \*; it has /)
  t.match(error({ select: ['a'], filters: [{ column: 'depth', eq: 1 }] }), /^unknown_column: filters\[0\]: /)
  t.match(
    errorOf(() => planOf({ select: ['a'] }, {})),
    /it has no columns\. Files are named by "from"/,
  )
  t.equal(
    error({ select: ['a', { column: 'b', alias: 'a' }] }),
    'invalid_query: select[1]: an earlier output column is named "a"; give an alias',
  )
})

t.test('a nested column is selected and tested for null, nothing else', async (t) => {
  t.match(planOf({ select: ['nested'], filter: { is_null: { column: 'nested' } } }, COLUMNS).scan, {
    filter: { name: 'is_null', args: [{ column: 'nested' }] },
  })
  t.equal(
    errorOf(() => planOf({ select: ['a'], filter: { column: 'nested', eq: 1 } }, COLUMNS)),
    'type_mismatch: filter.eq: column "nested" is Struct<>, which does not compare with the number 1; what is inside of it is compared in SQL',
  )
})
