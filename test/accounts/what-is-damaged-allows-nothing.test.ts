import { join } from 'node:path'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { openInFolder } from '../catalog/store.ts'
import { basic } from '../http/test-server.ts'
import { startAccountService } from './asked-accounts.ts'
import { contentOf, putRole, putUser } from './changes.ts'

const NEVER = new AbortController().signal

/** Changes the database of a folder whose service is stopped. */
function edit(folder: string, ...statements: readonly string[]): void {
  const database = new Database(join(folder, 'catalog.db'))
  for (const statement of statements) database.exec(statement)
  database.close()
}

async function folderWith(t: Test): Promise<string> {
  const folder = t.testdir()
  const { directory, close } = await openInFolder(folder)
  await directory.change(
    () => [
      putRole('reader', { effect: 'deny', target: { kind: 'path', glob: 'a' } }),
      putUser('whole', 'reader'),
      putUser('broken', 'reader'),
    ],
    NEVER,
  )
  await close()
  return folder
}

t.test('a role that cannot be read is no role without its denies: the start is refused', async (t) => {
  const rule = (text: string): string => `[${text}]`
  for (const rules of [
    '',
    '{',
    'null',
    '{}',
    rule('null'),
    rule('"deny"'),
    rule('{"effect":"allow","kind":"all"}'),
    rule('{"effect":"deny"}'),
    rule('{"effect":"deny","kind":"schema"}'),
    rule('{"effect":"deny","kind":"path"}'),
    rule('{"effect":"deny","kind":"path","glob":"../a"}'),
    rule('{"effect":"deny","kind":"path","glob":7}'),
    rule('{"effect":"deny","kind":"table","name":"t"}'),
    rule('{"effect":"deny","kind":"all","columns":["n"]}'),
  ]) {
    const folder = await folderWith(t)
    edit(folder, `UPDATE roles SET rules = '${rules}' WHERE name = 'reader'`)
    await t.rejects(
      openInFolder(folder),
      { code: 'internal', message: /^The stored role "reader" cannot be read/ },
      rules,
    )
    edit(folder, `UPDATE roles SET rules = '[]' WHERE name = 'reader'`)
    await (await openInFolder(folder)).close()
  }
})

t.test('a user that cannot be read is left out, and stays stored until it is dropped', async (t) => {
  for (const statement of [
    `UPDATE users SET password = NULL WHERE name = 'broken'`,
    `UPDATE users SET password = '' WHERE name = 'broken'`,
    `UPDATE users SET password = 'plain' WHERE name = 'broken'`,
    `UPDATE users SET password = '$argon2id$v=19$m=4294967295,t=2,p=1$AAAAAAAAAAA$AAAA' WHERE name = 'broken'`,
    `INSERT INTO user_roles VALUES ('broken', 'no role')`,
  ]) {
    const folder = await folderWith(t)
    edit(folder, statement)
    const lines: object[] = []
    const { directory, close } = await openInFolder(folder, {
      log: { error: (details) => lines.push(details) },
    })
    t.same(contentOf(directory).users, { whole: ['reader'], anonymous: [] }, statement)
    t.match(lines, [{ user: 'broken', err: Error }])
    t.notMatch(JSON.stringify(lines) + String(lines[0] && 'err' in lines[0] && lines[0].err), 'argon2id')
    t.ok(directory.isUnreadable('broken'))
    await directory.change(() => [{ kind: 'drop_user', name: 'broken' }], NEVER)
    t.notOk(directory.isUnreadable('broken'))
    await close()
    await (await openInFolder(folder)).close()
  }
})

t.test('nobody logs in as such a user, nobody takes its name, and DROP USER deletes it', async (t) => {
  const first = await startAccountService(t)
  t.equal(await first.state(`CREATE USER ann WITH PASSWORD 'p'`), null)
  await first.close()
  edit(join(first.dataDir, 'tables'), `UPDATE users SET password = 'p' WHERE name = 'ann'`)
  const { state, users, lines, url } = await startAccountService(t, { dataDir: first.dataDir })
  const statusOf = async (): Promise<number> =>
    (await fetch(`${url}/api/tables`, { headers: { authorization: basic('ann', 'p') } })).status
  t.equal(await statusOf(), 401)
  t.match(await users(), [{ username: 'root' }, { username: 'anonymous' }])
  t.match(await state(`CREATE USER ann WITH PASSWORD 'p'`), /cannot be read; the log has the reason/)
  t.equal(await state('DROP USER ann'), null)
  t.equal(await state(`CREATE USER ann WITH PASSWORD 'p'`), null)
  t.equal(await statusOf(), 200)
  t.same(await lines('SELECT 1 AS n', { authorization: basic('ann', 'p') }), ['n', '1'])
})
