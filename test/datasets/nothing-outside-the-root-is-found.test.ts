import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { makeRoot } from './dataset-root.ts'

t.test('a path that could leave the root is refused as it stands', async (t) => {
  const { resolve } = await makeRoot(t, ['a.parquet', 'obs/b.parquet'])
  const paths = [
    '',
    '..',
    '../root-and-more/secret.parquet',
    'obs/../a.parquet',
    'obs/..',
    '/etc/passwd',
    '//etc/passwd',
    'file:///etc/passwd',
    's3://bucket/a.parquet',
    'https://example.org/a.parquet',
    'a.parquet\0',
    'a\ud800.parquet',
    `${'a/'.repeat(3000)}b`,
  ]
  for (const path of paths)
    await t.rejects(resolve(path), { code: 'invalid_path' }, JSON.stringify(path.slice(0, 40)))
})

t.test('a backslash is part of a name', async (t) => {
  const { resolve } = await makeRoot(t, ['a.parquet', 'obs/b.parquet'])
  for (const path of ['..\\a.parquet', 'obs\\b.parquet'])
    await t.rejects(resolve(path), { code: 'no_files' }, JSON.stringify(path))
})

t.test('a percent sign is a percent sign', async (t) => {
  const { resolve } = await makeRoot(t, ['a%2Fb.parquet', '%2e%2e/c.parquet'])
  t.same(await resolve('a%2Fb.parquet'), ['a%2Fb.parquet'])
  t.same(await resolve('%2e%2e/c.parquet'), ['%2e%2e/c.parquet'])
  await t.rejects(resolve('%2e%2e%2fa'), { code: 'no_files' })
})

t.test('a link that leads out is refused by name and not matched by patterns', async (t) => {
  const { root, outside, resolve } = await makeRoot(t, ['a.parquet'])
  await symlink(join(outside, 'secret.parquet'), join(root.location, 'link.parquet'))
  await symlink(outside, join(root.location, 'folder'))
  await symlink('../root-and-more', join(root.location, 'relative'))
  await symlink('/', join(root.location, 'top'))
  for (const path of [
    'link.parquet',
    'folder',
    'folder/',
    'folder/secret.parquet',
    'folder/*',
    'relative/s*',
    'top/**',
  ])
    await t.rejects(resolve(path), { code: 'invalid_path', message: /out of the dataset root/ }, path)
  t.same(await resolve('**'), ['a.parquet'])
  t.same(await resolve('*.parquet'), ['a.parquet'])
})

t.test('a link inside the root works by name and in patterns, and the file is read once', async (t) => {
  const { resolve } = await makeRoot(t, ['obs/a.parquet', 'obs/b.parquet'], {
    'latest.parquet': 'obs/b.parquet',
    'obs/z.parquet': 'b.parquet',
    year: 'obs',
    'obs/loop': '..',
    dangling: 'nowhere',
    self: 'self',
  })
  t.same(await resolve('latest.parquet'), ['latest.parquet'])
  t.same(await resolve('year/*.parquet'), ['year/a.parquet', 'year/b.parquet'])
  t.same(
    await resolve('**/*.parquet'),
    ['latest.parquet', 'obs/a.parquet'],
    'links to folders are not entered',
  )
  for (const path of ['dangling', 'self', 'self/x'])
    await t.rejects(resolve(path), { code: 'no_files' }, path)
})

t.test('what is no regular file is not opened', async (t) => {
  const { root, resolve } = await makeRoot(t, ['a.parquet'])
  execFileSync('mkfifo', [join(root.location, 'pipe.parquet')])
  await symlink('pipe.parquet', join(root.location, 'link.parquet'))
  for (const path of ['pipe.parquet', 'link.parquet'])
    await t.rejects(resolve(path), { code: 'invalid_path', message: /not a regular file/ })
  t.same(await resolve('*'), ['a.parquet'])
})
