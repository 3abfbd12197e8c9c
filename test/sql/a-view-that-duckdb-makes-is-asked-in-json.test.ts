import { writeFileSync } from 'node:fs'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { startAskedService } from '../answers/asking.ts'
import { changingCatalog, csvSource } from '../catalog/two-tables.ts'

const catalog = changingCatalog()
const service = await startAskedService(t, { catalog })
const rows = ['1,a,2024-01-01', '2,b,2024-02-01', '3,a,', '4,,2024-03-01', ',b,2024-04-01']
writeFileSync(service.at('a.csv'), ['n,kind,day', ...rows, ''].join('\n'))
catalog.define('one', csvSource('a.csv'))
// A window keeps a view from being read by the core. The other columns are those of the table.
catalog.view('ranked', 'SELECT *, row_number() OVER (ORDER BY n) AS "the ""rank" FROM one', 'one')
catalog.view('above', 'SELECT * FROM public.ranked', 'ranked')
await service.settle()

async function ask(query: object): Promise<readonly unknown[]> {
  const response = await service.post(query)
  if (response.status !== 200) throw new Error(String(await response.json()))
  const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()))
  return table.toArray().map((row) => Object.values(row.toJSON()).map(String))
}

/** Requests that are the same over the table and over views with its rows. */
const REQUESTS: readonly object[] = [
  { select: ['n', 'kind'], sort_by: [{ Asc: 'n' }] },
  {
    select: [{ column: 'n', alias: 'x' }],
    filters: [{ column: 'n', min: 2, max: 3 }],
    sort_by: [{ Desc: 'n' }],
  },
  {
    select: ['kind'],
    filters: [{ column: 'n', gt_eq: 2 }],
    distinct: { on: ['kind'], select: ['kind'] },
    sort_by: [{ Asc: 'kind' }],
  },
  { select: ['n'], filters: [{ column: 'kind', eq: 'a' }], sort_by: [{ Asc: 'n' }] },
  { select: ['n'], filters: [{ is_null: { column: 'kind' } }] },
  {
    select: ['n'],
    filters: [
      {
        or: [
          { column: 'kind', eq: 'b' },
          { column: 'n', eq: 4 },
        ],
      },
    ],
    sort_by: [{ Desc: 'n' }],
  },
  {
    select: ['n', 'day'],
    filters: [{ column: 'day', gt: '2024-01-15' }],
    sort_by: [{ Asc: 'day' }],
    limit: 2,
  },
  { select: ['n'], sort_by: [{ Asc: 'n' }], offset: 1, limit: 2 },
  { select: [{ value: 5, alias: 'five' }] },
  {
    select: [{ function: 'abs', args: ['n'], alias: 'm' }],
    filters: [{ column: 'm', gt: 2 }],
    sort_by: [{ Asc: 'm' }],
  },
  { select: ['n'], filters: [{ column: 'kind', like: '%a' }], sort_by: [{ Asc: 'n' }] },
]

t.test('as if it were a table', async (t) => {
  for (const request of REQUESTS) {
    const expected = await ask({ ...request, from: 'one' })
    for (const from of ['ranked', 'above', 'service.public.ranked', '"RANKED"'])
      t.same(await ask({ ...request, from }), expected, `${JSON.stringify(request)} ${from}`)
  }
})

t.test('with its own columns', async (t) => {
  t.same(await ask({ select: ['the "rank'], from: 'above', filters: [{ column: 'n', eq: 3 }] }), [['3']])
  await t.rejects(ask({ select: ['nothing'], from: 'ranked' }), { message: /"nothing"/ })
  await t.rejects(ask({ select: ['n'], from: 'ranked', filters: [{ column: 'kind', gt: 5 }] }), {
    message: /filters\[0\]/,
  })
})

t.test('with the types that its files have now', async (t) => {
  catalog.view('changing', "SELECT n, row_number() OVER () AS r FROM read_csv('b.csv')")
  const above = { select: ['n'], from: 'changing', filters: [{ column: 'n', gt: 4.5 }] }
  writeFileSync(service.at('b.csv'), 'n\n4\n5\n')
  await service.settle()
  t.same(await ask(above), [['5']])
  writeFileSync(service.at('b.csv'), 'n\n4.25\n4.75\n')
  await service.settle()
  t.same(await ask(above), [['4.75']])
})

t.test('EXPLAIN says why the core does not run it', async (t) => {
  const response = await fetch(`${service.url}/api/explain-query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ select: ['n'], from: 'above' }),
  })
  t.match(await response.text(), /in the view above/)
})
