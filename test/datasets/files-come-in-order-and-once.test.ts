import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { resolveFiles } from '../../src/main/datasets/resolve.ts'
import { makeRoot, never } from './dataset-root.ts'

t.test('bytes of UTF-8 within a pattern, arguments as given', async (t) => {
  const names = ['Z', 'a', 'a!', 'a/b', 'é', '\uffee', '😀', '10', '9']
  const { resolve } = await makeRoot(
    t,
    names.map((name) => `${name}.parquet`),
  )
  const inBytes = ['10', '9', 'Z', 'a!', 'a', 'a/b', 'é', '\uffee', '😀'].map((name) => `${name}.parquet`)
  const sorted = inBytes.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  t.same(await resolve('**'), sorted)
  t.same(await resolve('a.parquet', 'Z.parquet', '9.parquet'), ['a.parquet', 'Z.parquet', '9.parquet'])
})

t.test('a file that is named twice is read once, where it comes first', async (t) => {
  const { resolve } = await makeRoot(t, ['a.parquet', 'b.parquet', 'c.parquet'])
  t.same(await resolve('b.parquet', '*', 'b.parquet', './a.parquet'), ['b.parquet', 'a.parquet', 'c.parquet'])
})

t.test('each argument must give a file', async (t) => {
  const { resolve } = await makeRoot(t, ['a.parquet'])
  await t.rejects(resolve('a.parquet', 'none/*.parquet'), { code: 'no_files', message: /none\/\*\.parquet/ })
})

t.test('empty files are left out of patterns and folders, not of names', async (t) => {
  const { root, resolve } = await makeRoot(t, ['obs/a.parquet', 'marks/x'])
  await writeFile(join(root.location, 'obs/_SUCCESS'), '')
  await writeFile(join(root.location, 'marks/x'), '')
  t.same(await resolve('obs/'), ['obs/a.parquet'])
  t.same(await resolve('obs/*'), ['obs/a.parquet'])
  t.same(await resolve('obs/_SUCCESS'), ['obs/_SUCCESS'])
  await t.rejects(resolve('marks/*'), { code: 'no_files' })
})

t.test('the footers that tools keep beside their data are left out of patterns and folders', async (t) => {
  const { resolve } = await makeRoot(t, ['obs/_metadata', 'obs/_common_metadata', 'obs/y=1/a_metadata'])
  t.same(await resolve('obs/'), ['obs/y=1/a_metadata'])
  await t.rejects(resolve('obs/*'), { code: 'no_files' })
  t.same(await resolve('obs/_metadata'), ['obs/_metadata'])
})

t.test('a name that is no UTF-8 is passed over', async (t) => {
  const { resolve } = await makeRoot(t, ['a.parquet', Buffer.from([0x62, 0xff, 0x2e, 0x63])])
  t.same(await resolve('*'), ['a.parquet'])
})

t.test('a file comes with its place and its version', async (t) => {
  const { root } = await makeRoot(t, ['obs/a.parquet'])
  const { files: before } = await resolveFiles(root, ['obs/a.parquet'], never)
  t.match(before, [
    { path: 'obs/a.parquet', location: join(root.location, 'obs/a.parquet'), version: { size: 1n } },
  ])
  await writeFile(join(root.location, 'obs/a.parquet'), 'longer')
  const [after] = (await resolveFiles(root, ['obs/*'], never)).files
  t.equal(after?.version.inode, before[0]?.version.inode)
  t.equal(after?.version.size, 6n)
})

t.test('a search stops when the query does', async (t) => {
  const { root } = await makeRoot(t, ['a.parquet'])
  const reason = new Error('left')
  await t.rejects(resolveFiles(root, ['**'], AbortSignal.abort(reason)), reason)
})
