import t from 'tap'
import { makeRoot } from './dataset-root.ts'

t.test('over its meaning as a pattern', async (t) => {
  const { resolve } = await makeRoot(t, [
    '[ab].parquet',
    'a.parquet',
    '*.parquet',
    'what?.parquet',
    'dir[1]/x.parquet',
  ])
  t.same(await resolve('[ab].parquet'), ['[ab].parquet'])
  t.same(await resolve('*.parquet'), ['*.parquet'])
  t.same(await resolve('what?.parquet'), ['what?.parquet'])
  t.same(await resolve('dir[1]'), ['dir[1]/x.parquet'])
  t.same(await resolve('dir[1]/x.parquet'), ['dir[1]/x.parquet'])
})

t.test('any legal file name works', async (t) => {
  const names = [
    'with space.parquet',
    ' lead and trail ',
    'quote\'s "and" `more`.parquet',
    'line\nbreak.parquet',
    'tab\tstop.parquet',
    'été.parquet',
    'e\u0301te\u0301.parquet',
    '海洋.parquet',
    '😀.parquet',
    '#hash;semi&and=eq+plus,comma.parquet',
    '$dollar|pipe<less>more.parquet',
    '~tilde',
    '-dash',
    '.dot.parquet',
    '...',
    'a%20b.parquet',
    'year=2020/month=01/part 0.parquet',
    'c:colon',
    'back\\slash.parquet',
    'x'.repeat(255),
  ]
  const { resolve } = await makeRoot(t, names)
  for (const name of names) t.same(await resolve(name), [name], JSON.stringify(name.slice(0, 40)))
  t.same((await resolve('**')).length, names.filter((name) => !name.startsWith('.')).length)
})

t.test('a folder means all files below it, but not hidden ones', async (t) => {
  const { resolve } = await makeRoot(t, [
    'obs/b.parquet',
    'obs/a/c.parquet',
    'obs/.tmp/d.parquet',
    'obs/.e.parquet',
    'f.parquet',
  ])
  for (const path of ['obs', 'obs/', './obs/', 'obs/.', 'obs//', './/obs'])
    t.same(await resolve(path), ['obs/a/c.parquet', 'obs/b.parquet'], path)
  t.same(await resolve('.'), ['f.parquet', 'obs/a/c.parquet', 'obs/b.parquet'])
  await t.rejects(resolve('f.parquet/'), { code: 'no_files' })
  await t.rejects(resolve('obs/nope/'), { code: 'no_files' })
})
