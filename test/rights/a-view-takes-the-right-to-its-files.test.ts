import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Rule } from '../../src/main/auth/directory/directory.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { type EnforcedService, GRANT_ALL, grantOn, refusal, startEnforced } from './enforced.ts'
import { listed, readable } from './listed.ts'
import { queriesOver } from './queries-over.ts'

const FILES = { 'a.csv': 'n\n1\n2\n', 'x/b.csv': 'n\n3\n', 'x/hidden/c.csv': 'n\n9\n' }

/** Views over files, each with whether it reads a hidden one. */
const VIEWS: Readonly<Record<string, readonly [query: string, isHidden: boolean]>> = {
  of_open: ["SELECT n FROM read_csv('a.csv')", false],
  of_hidden: ["SELECT n FROM read_csv('x/hidden/c.csv')", true],
  deep: ['SELECT n FROM of_hidden WHERE n > 0', true],
  deeper: ['SELECT n | 0 AS n FROM deep', true],
  of_glob: ["SELECT n FROM read_csv('**/*.csv')", true],
  of_folder: ["SELECT n FROM read_csv('x/')", true],
  of_list: ["SELECT n FROM read_csv(['a.csv', 'x/hidden/*.csv'])", true],
  joined: ["SELECT a.n FROM read_csv('a.csv') a LEFT JOIN read_csv('x/hidden/c.csv') h USING (n)", true],
  nested: ["SELECT n FROM read_csv('a.csv') WHERE n NOT IN (SELECT n FROM read_csv('x/hidden/c.csv'))", true],
  built: ["SELECT n FROM read_csv('x/hid' || 'den/c.csv')", true],
  of_both: ['SELECT o.n FROM of_open o LEFT JOIN deep d USING (n)', true],
  of_columns: ["SELECT length(column_name) AS n FROM read_csv_schema('x/hidden/c.csv')", true],
  of_metrics: ['SELECT result_num_rows AS n FROM service.system.query_metrics', true],
  over_metrics: ['SELECT n + 1 AS n FROM of_metrics', true],
  of_datasets: ['SELECT size AS n FROM list_datasets()', false],
}

const NAMES = ['default', 'open', ...Object.keys(VIEWS)].toSorted()
const HIDDEN: Rule = { effect: 'deny', target: { kind: 'path', glob: 'x/hidden' } }

async function started(t: Test): Promise<EnforcedService> {
  const service = await startEnforced(t, FILES, { settings: { SERVICE_SQL_ENGINES: '1' } })
  await service.admin("CREATE EXTERNAL TABLE open STORED AS CSV LOCATION 'a.csv'")
  for (const [name, [query]] of Object.entries(VIEWS)) await service.admin(`CREATE VIEW ${name} AS ${query}`)
  return service
}

t.test('a view over a hidden file is refused by the name that was asked for', async (t) => {
  const service = await started(t)
  // What is kept of these holds no decision.
  for (const name of Object.keys(VIEWS))
    for (const query of queriesOver(name)) await service.asked(query, SUPER_USER)
  await service.allow(GRANT_ALL, HIDDEN)
  for (const [name, [, isHidden]] of Object.entries(VIEWS))
    for (const query of queriesOver(name)) {
      const answer = await service.asked(query)
      if (isHidden) t.same(answer, { status: 400, text: refusal(name) }, JSON.stringify(query))
      else t.equal(answer.status, 200, `${JSON.stringify(query)} ${answer.text.slice(0, 300)}`)
    }
  const open = NAMES.filter((name) => VIEWS[name]?.[1] !== true)
  t.same(await readable(service, NAMES), open)
  const { tables, withSchema, inCatalogs, withColumns, count } = await listed(service, NAMES)
  for (const list of [tables, withSchema, inCatalogs, withColumns]) t.same(list.toSorted(), open)
  t.equal(count, open.length)
  const two = 'SELECT * FROM of_open JOIN Public."OF_Hidden" USING (n)'
  t.same(await service.asked({ sql: two }), { status: 400, text: refusal('Public.OF_Hidden') })
  const both = "SELECT * FROM of_open, read_csv('x/hidden/*.csv')"
  t.match(
    (await service.asked({ sql: both })).text,
    /SELECT on path .*x\/hidden\/\*\.csv/,
    'what it writes itself',
  )
})

t.test('what is gone is refused as what is hidden', async (t) => {
  const service = await started(t)
  await service.allow(GRANT_ALL)
  const listedBefore = await listed(service, NAMES)
  t.ok(listedBefore.tables.includes('deeper'))
  rmSync(join(service.datasets, 'x/hidden'), { recursive: true })
  for (const name of ['of_hidden', 'deep', 'deeper', 'joined', 'built', 'of_both', 'of_columns'])
    for (const query of queriesOver(name))
      t.same(await service.asked(query), { status: 400, text: refusal(name) }, JSON.stringify(query))
  const { tables } = await listed(service, NAMES)
  t.notOk(tables.includes('deeper'))
  t.ok(tables.includes('of_glob'), 'other files of the pattern are there')
})

t.test('a right to the files alone or to the view alone is none to the view', async (t) => {
  const service = await started(t)
  const path = (glob: string): Rule => ({ effect: 'grant', target: { kind: 'path', glob } })
  for (const [rules, names] of [
    [[grantOn('of_open')], []],
    [[path('**')], []],
    [[grantOn('of_open'), path('a.csv')], ['of_open']],
    [[grantOn('of_open'), path('x/**')], []],
    [[grantOn('deep'), path('x/hidden/*')], []],
    [
      [grantOn('deep'), grantOn('of_hidden'), path('x/hidden/*')],
      ['deep', 'of_hidden'],
    ],
    [[grantOn('of_glob'), path('a.csv'), path('x')], ['of_glob']],
    [[grantOn('of_datasets')], ['of_datasets']],
    [[grantOn('open')], ['open']],
  ] as const) {
    await service.allow(...rules)
    t.same(await readable(service, NAMES), names, JSON.stringify(rules))
    t.same((await listed(service, NAMES)).tables.toSorted(), names, JSON.stringify(rules))
  }
})
