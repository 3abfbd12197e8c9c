import { writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { numbersOf } from '../answers/asking.ts'
import { startWithTables, type Tables } from '../catalog/start-with-tables.ts'
import { csvSource } from '../catalog/two-tables.ts'

interface NamesInDuckDb extends Tables {
  /** The rows of a statement that DuckDB runs, because its list has an expression. `sql` is what follows FROM. */
  numbers(sql: string): Promise<readonly number[]>
  /** The message of a statement that is refused. */
  refusal(sql: string): Promise<string>
}

async function startNames(t: Test): Promise<NamesInDuckDb> {
  const { service, catalog } = await startWithTables(t)
  const post = (sql: string) => service.post({ sql })
  return {
    service,
    catalog,
    async numbers(from) {
      const response = await post(`SELECT +n +0 AS n FROM ${from} ORDER BY n`)
      if (response.status !== 200) throw new Error(await response.text())
      return numbersOf(response)
    },
    async refusal(sql) {
      const response = await post(sql)
      t.equal(response.status, 400, sql)
      return String(await response.json())
    },
  }
}

t.test('a table and a view, however they are written', async (t) => {
  const { catalog, numbers } = await startNames(t)
  catalog.view('low', 'SELECT n FROM one WHERE n < 2', 'one')
  catalog.view('All Of', 'FROM low UNION ALL FROM service.public.two', 'low', 'two')
  for (const name of [
    'one',
    'ONE',
    'public.one',
    '"PUBLIC"."One"',
    'service.public.one',
    'Service.Public.one AS x',
  ])
    t.same(await numbers(name), [1, 2], name)
  for (const name of ['"All Of"', 'public."all of"', 'service.public."ALL OF" b'])
    t.same(await numbers(name), [1, 7], name)
  t.same(await numbers('one JOIN low USING (n)'), [1])
  t.same(
    await numbers(
      '(SELECT public.one.n FROM public.one) WHERE n IN (SELECT service.public.low.n + 1 FROM low)',
    ),
    [2],
  )
})

t.test('the name of a common table is no table', async (t) => {
  const { catalog, numbers, refusal } = await startNames(t)
  catalog.view('broken', 'SELECT nothing FROM one', 'one')
  t.same(await numbers('(WITH one AS (SELECT 5 AS n) FROM one)'), [5])
  t.same(
    await numbers('(WITH broken AS (SELECT 5 AS n) FROM broken)'),
    [5],
    'even of one that cannot be made',
  )
  t.same(await numbers('(WITH one AS (FROM two) FROM one) JOIN (WITH x AS (FROM one) FROM x) USING (n)'), [])
  catalog.view('through', 'WITH two AS (SELECT n + 1 AS n FROM one) FROM two', 'one', 'two')
  t.same(await numbers('(WITH one AS (SELECT 5 AS n) FROM through)'), [2, 3], 'a view does not see it')
  t.match(
    await refusal('SELECT +n +0 AS n FROM broken'),
    /The view "broken" cannot be read: Binder Error: Referenced column "nothing" not found/,
  )
})

t.test('what changes is made again, and so are the views above it', async (t) => {
  const { service, catalog, numbers, refusal } = await startNames(t)
  catalog.view('v', 'SELECT n * 10 AS n FROM one', 'one')
  catalog.view('w', 'SELECT n + 1 AS n FROM v', 'v')
  t.same(await numbers('w'), [11, 21])
  catalog.define('one', csvSource('b.csv'))
  t.same(await numbers('w'), [71])
  catalog.view('v', 'SELECT n * 100 AS n FROM one', 'one')
  t.same(await numbers('w'), [701])
  catalog.view('one', 'SELECT 3 AS n')
  t.same(await numbers('w'), [301], 'a table has become a view')
  catalog.drop('one')
  t.match(await refusal('SELECT +n +0 AS n FROM w'), /The view "v" reads "one", and there is no such table/)
  catalog.drop('v')
  t.match(await refusal('SELECT +n +0 AS n FROM w'), /The view "w" reads "v", and there is no such table/)
  t.match(await refusal('SELECT +n +0 AS n FROM v'), /line 1, column 24: There is no table "v"/)
  catalog.define('one', csvSource('c.csv'))
  catalog.view('v', 'SELECT n FROM one', 'one')
  writeFileSync(service.at('c.csv'), 'n,other\n4,a\n')
  await service.settle()
  t.same(await numbers('w'), [5])
  writeFileSync(service.at('c.csv'), 'other,n\na,4.5\nb,5.5\n')
  await service.settle()
  t.same(await numbers('w'), [5.5, 6.5], 'the types of the file are others')
  catalog.view('c', "FROM read_csv('c.csv')")
  t.same(await numbers('c'), [4.5, 5.5])
  writeFileSync(service.at('c.csv'), 'n\n9\n')
  await service.settle()
  t.same(await numbers('c'), [9], 'and so of a file that a view names')
  writeFileSync(service.at('c.csv'), 'm\n9\n')
  await service.settle()
  t.match(
    await refusal('SELECT +n +0 AS n FROM w'),
    /The view "v" cannot be read: Binder Error: Referenced column "n" not found/,
  )
})

t.test('a caller reads nothing through what an engine has made for another one', async (t) => {
  const { catalog, numbers, refusal } = await startNames(t)
  catalog.view('v', "SELECT n FROM read_csv('a.csv')")
  catalog.view('over', 'SELECT n FROM v', 'v')
  t.same(await numbers('one'), [1, 2])
  t.same(await numbers('over'), [1, 2])
  for (const name of ['one', 'v', 'over']) {
    catalog.deny(name)
    for (const from of [name, `public.${name}`, `service.public.${name}`, `"${name.toUpperCase()}" x`])
      t.match(await refusal(`SELECT +n +0 AS n FROM ${from}`), /There is no table "/i, from)
    t.match(await refusal(`WITH x AS (FROM ${name}) SELECT +n +0 AS n FROM x`), /There is no table "/)
    catalog.allow(name)
    t.same(await numbers(name), [1, 2])
  }
})
