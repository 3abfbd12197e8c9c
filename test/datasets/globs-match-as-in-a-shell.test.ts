import t from 'tap'
import { makeRoot } from './dataset-root.ts'

const FILES = [
  'a.parquet',
  'ab.parquet',
  'b.parquet',
  'B.parquet',
  'z.csv',
  'obs/a.parquet',
  'obs/2020/a.parquet',
  'obs/2020/b.parquet',
  'obs/2021/a.parquet',
  'obs/2021/deep/er/a.parquet',
  '.hidden.parquet',
  '.folder/a.parquet',
  'obs/.partial/a.parquet',
  '{a,b}.parquet',
  '+(a).parquet',
  '!a.parquet',
  '😀.parquet',
]

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['?.parquet', ['B.parquet', 'a.parquet', 'b.parquet', '😀.parquet']],
  ['a*.parquet', ['a.parquet', 'ab.parquet']],
  ['*b.parquet', ['ab.parquet', 'b.parquet']],
  ['[ab].parquet', ['a.parquet', 'b.parquet']],
  ['[a-b].parquet', ['a.parquet', 'b.parquet']],
  ['[!a-b].parquet', ['B.parquet', '😀.parquet']],
  ['[^a-b].parquet', ['B.parquet', '😀.parquet']],
  ['[😀].parquet', ['😀.parquet']],
  ['[{]*.parquet', ['{a,b}.parquet']],
  ['{a,b}*', ['{a,b}.parquet']],
  ['+(a)*', ['+(a).parquet']],
  ['!a*', ['!a.parquet']],
  ['obs/*', ['obs/a.parquet']],
  ['obs/*/*.parquet', ['obs/2020/a.parquet', 'obs/2020/b.parquet', 'obs/2021/a.parquet']],
  ['obs/202[01]/a.parquet', ['obs/2020/a.parquet', 'obs/2021/a.parquet']],
  [
    'obs/**/a.parquet',
    ['obs/2020/a.parquet', 'obs/2021/a.parquet', 'obs/2021/deep/er/a.parquet', 'obs/a.parquet'],
  ],
  ['obs/**/deep/**/a.parquet', ['obs/2021/deep/er/a.parquet']],
  ['**/deep/**', ['obs/2021/deep/er/a.parquet']],
  ['**/e*/*', ['obs/2021/deep/er/a.parquet']],
  ['**/*.csv', ['z.csv']],
  ['**.csv', ['z.csv']],
  [
    'obs/20*/',
    ['obs/2020/a.parquet', 'obs/2020/b.parquet', 'obs/2021/a.parquet', 'obs/2021/deep/er/a.parquet'],
  ],
  ['.h*', ['.hidden.parquet']],
  ['.*/*', ['.folder/a.parquet']],
  ['obs/.partial/*', ['obs/.partial/a.parquet']],
]

t.test('each pattern gives exactly these files', async (t) => {
  const { resolve } = await makeRoot(t, FILES)
  for (const [pattern, expected] of CASES) t.same(await resolve(pattern), expected, pattern)
})

t.test('a pattern that matches nothing says so', async (t) => {
  const { resolve } = await makeRoot(t, FILES)
  for (const pattern of [
    '*.PARQUET',
    '?',
    '[.]hidden.parquet',
    'obs/20??',
    '**/nope/*',
    'nope/**',
    'a.parquet/*',
    '*/*/*/*/*/*',
  ])
    await t.rejects(
      resolve(pattern),
      { code: 'no_files', message: `No file matched ${JSON.stringify(pattern)}` },
      pattern,
    )
})

t.test('a pattern made to take long does not', async (t) => {
  const { resolve } = await makeRoot(t, [`${'0'.repeat(200)}.parquet`, 'obs/a/b/c/d/e/f/g/h/a.parquet'])
  await t.rejects(resolve(`${'*0'.repeat(1000)}*x`), { code: 'no_files' })
  await t.rejects(resolve(`${'**/*/'.repeat(500)}x`), { code: 'no_files' })
})

t.test('a bracket that is not closed stands for itself', async (t) => {
  const { resolve } = await makeRoot(t, ['a[b.parquet', 'a[c.parquet'])
  t.same(await resolve('a[*.parquet'), ['a[b.parquet', 'a[c.parquet'])
  t.same(await resolve('a[[]b*'), ['a[b.parquet'])
})

t.test('a closing bracket is a member where it comes first', async (t) => {
  const { resolve } = await makeRoot(t, ['a].csv', 'a-.csv', 'ax.csv'])
  t.same(await resolve('a[]-].csv'), ['a-.csv', 'a].csv'])
  t.same(await resolve('a[!]-].csv'), ['ax.csv'])
})
