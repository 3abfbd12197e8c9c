import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createCatalog } from '../../src/main/catalog/create-catalog.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { parseStatement } from '../../src/main/sql/grammar/parse-statement.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { startTestServer } from '../http/test-server.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { ask } from './upload.ts'

const remove = (url: string, path: string) => ask(url, 'DELETE', `?path=${encodeURIComponent(path)}`)

t.test('a file is deleted, and only a file', async (t) => {
  const { url, root } = await startTestServer(t, { files: { 'd/a.csv': 'x', 'd/b.csv': 'x' } })
  const { status, text } = await remove(url, 'd/a.csv')
  t.same([status, text], [204, ''])
  t.same(readdirSync(join(root, 'd')), ['b.csv'])
  t.equal((await remove(url, 'd/a.csv')).status, 404)
  t.equal((await remove(url, 'none/a.csv')).status, 404)
  for (const path of [
    '',
    '/',
    'd',
    'd/',
    '../x',
    'd/../d/b.csv',
    '__service__',
    '__service__/x',
    'd/b.csv/x',
  ])
    t.equal((await remove(url, path)).status, 400, path)
  t.equal((await ask(url, 'DELETE', '')).status, 400)
  t.same(readdirSync(join(root, 'd')), ['b.csv'])
})

t.test('no link is followed', async (t) => {
  const { url, root } = await startTestServer(t)
  const other = t.testdir({ 'a.csv': 'x' })
  symlinkSync(other, join(root, 'out'))
  symlinkSync(join(other, 'a.csv'), join(root, 'link.csv'))
  t.match(await remove(url, 'out/a.csv'), { status: 400, text: /is a link/ })
  t.equal((await remove(url, 'link.csv')).status, 204, 'the link itself')
  t.notOk(existsSync(join(root, 'link.csv')))
  t.same(readdirSync(other), ['a.csv'])
})

t.test('a file that a table or a view names is not deleted', async (t) => {
  const catalog = createCatalog({
    name: 'service',
    defaultTable: 'default',
    formats: FORMATS,
    namesIn: createNamesIn(KNOWN_NAMES),
  })
  const columns = { fields: [], metadata: {} }
  const define = async (sql: string): Promise<void> => {
    const statement = parseStatement(sql, () => undefined)
    if (statement.kind !== 'create_external_table' && statement.kind !== 'create_view') throw new Error(sql)
    await catalog.change([{ kind: 'put', definition: { statement, columns } }], new AbortController().signal)
  }
  await define("CREATE EXTERNAL TABLE one STORED AS CSV LOCATION 'd/a.csv'")
  await define("CREATE EXTERNAL TABLE other STORED AS CSV LOCATION './d//b.csv'")
  await define("CREATE EXTERNAL TABLE folder STORED AS CSV LOCATION 'd/'")
  await define("CREATE EXTERNAL TABLE pattern STORED AS CSV LOCATION 'd/*.csv'")
  await define("CREATE VIEW v AS SELECT * FROM read_csv(['x.csv', 'd/c.csv']) WHERE k = 'd/e.csv'")
  await define("CREATE VIEW w AS SELECT * FROM read_csv($$d/it's.csv$$) UNION ALL SELECT * FROM one")
  await define("CREATE VIEW p AS SELECT * FROM read_csv('d/*.csv') -- d/free.csv")
  const { url, root } = await startTestServer(t, { catalog })
  mkdirSync(join(root, 'd'))
  for (const name of ['a', 'b', 'c', "it's", 'free']) writeFileSync(join(root, `d/${name}.csv`), 'k\n1\n')
  for (const [path, readers] of [
    ['d/a.csv', 'the table "one"'],
    ['d//a.csv', 'the table "one"'],
    ['d/b.csv', 'the table "other"'],
    ['d/c.csv', 'the view "v"'],
    ["d/it's.csv", 'the view "w"'],
  ] as const) {
    const { status, text } = await remove(url, path)
    t.equal(status, 409, path)
    t.equal(text, `${path.replace('//', '/')} is read by ${readers}; drop what names it first.`)
  }
  t.equal((await remove(url, 'd/free.csv')).status, 204)
  t.equal(readdirSync(join(root, 'd')).length, 4)
  await catalog.change([{ kind: 'drop', name: 'one' }], new AbortController().signal)
  t.equal((await remove(url, 'd/a.csv')).status, 204)
})
