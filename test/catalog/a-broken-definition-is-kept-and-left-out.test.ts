import { join } from 'node:path'
import Database from 'better-sqlite3'
import t from 'tap'
import { put } from './definitions.ts'
import { locations, openInFolder } from './store.ts'

const NEVER = new AbortController().signal

/** Definitions that cannot be read, by their keys, as changes of a row. */
const BROKEN = {
  no_statement: "statement = 'CREATE EXTERNAL'",
  no_text: "statement = ''",
  no_create: "statement = 'DROP TABLE whole'",
  no_query: "statement = 'CREATE VIEW no_query AS COPY (SELECT 1) TO ''file'''",
  no_format: "statement = replace(statement, 'CSV', 'NONE')",
  no_json: "columns = '{'",
  no_object: "columns = 'null'",
  no_columns: `columns = '{"types":[],"fields":[["n",0]]}'`,
  no_type: `columns = '{"types":[{"kind":"int","bits":63,"signed":true}],"fields":[["n",0]]}'`,
  no_name: `columns = '{"types":[{"kind":"utf8"}],"fields":[[7,0]]}'`,
  no_list: `columns = '{"types":[{"kind":"list","item":{"name":"x"}}],"fields":[["n",0]]}'`,
}

t.test('definitions that cannot be read', async (t) => {
  const folder = t.testdir()
  const keys = Object.keys(BROKEN)
  const first = await openInFolder(folder)
  await first.change([put('whole'), ...keys.map((key) => put(key))], NEVER)
  await first.close()
  const path = join(folder, 'catalog.db')
  const edited = new Database(path)
  for (const [key, change] of Object.entries(BROKEN))
    edited.prepare(`UPDATE definitions SET ${change} WHERE key = ?`).run(key)
  const stored = edited.prepare('SELECT * FROM definitions ORDER BY key').all()
  edited.close()

  const lines: object[] = []
  const log = { error: (details: object) => lines.push(details) }
  const second = await openInFolder(folder, { log })
  t.same(locations(second), { whole: 'a.csv' })
  t.match(
    lines.map((line) => ('table' in line ? line.table : null)).toSorted(),
    keys.toSorted(),
    'each is logged by its name',
  )
  for (const line of lines) t.ok('err' in line && line.err instanceof Error, 'with the reason')
  await second.change([put('more')], NEVER)
  await second.change([{ kind: 'drop', name: 'more' }], NEVER)
  await second.close()

  const after = new Database(path)
  t.same(after.prepare('SELECT * FROM definitions ORDER BY key').all(), stored, 'all of them are kept')
  after.close()
})
