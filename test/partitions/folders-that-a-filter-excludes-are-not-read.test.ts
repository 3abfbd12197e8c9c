import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { untilSettled } from '../support/settled.ts'
import { observedRoot, where } from './searching.ts'

t.test('of one level', async (t) => {
  const { list } = await observedRoot(t, ['t/year=2022/a.csv', 't/year=2023/a.csv', 't/year=2024/sub/a.csv'])
  t.match(await list(['t/**/*.csv'], where(['year', 'gt', 2022])), {
    files: ['t/year=2023/a.csv', 't/year=2024/sub/a.csv'],
    columns: 'year Int64',
    isNarrowed: true,
    read: ['t', 't/year=2023', 't/year=2024', 't/year=2024/sub'],
  })
  t.match(await list(['t/'], where(['year', 'eq', 2022])), { read: ['t', 't/year=2022'] })
  t.match(await list(['t/*/*.csv'], where(['year', 'gt', 0])), { isNarrowed: false, read: { length: 4 } })
  t.match(
    await list(['t/*/*.csv'], where(['other', 'gt', 0])),
    { files: { length: 2 }, isNarrowed: false },
    'a condition that no folder decides',
  )
  t.match(
    await list(['t/**/*.csv'], where(['year', 'eq', 1999])),
    { files: { length: 3 }, columns: 'year Int64', isNarrowed: false },
    'a table has its columns even if no row passes',
  )
  t.match(
    await list(['t/**/*.csv'], where(['year', 'eq', 2022]), { hivePartitioning: false, filename: false }),
    { files: { length: 3 }, columns: '', isNarrowed: false },
  )
})

t.test('beside files without rows, which writers put above the folders', async (t) => {
  const { list, put, location } = await observedRoot(t, ['t/year=2023/a.csv', 't/year=2024/a.csv'])
  writeFileSync(join(location, 't/_SUCCESS'), '')
  await put('t/_metadata')
  symlinkSync('year=2024', join(location, 't/latest'))
  t.match(await list(['t'], where(['year', 'eq', 2024])), {
    files: ['t/year=2024/a.csv'],
    columns: 'year Int64',
    isNarrowed: true,
    read: ['t', 't/year=2024'],
  })
  await put('t/b.csv')
  t.match(await list(['t'], where(['year', 'eq', 2024])), { files: { length: 3 }, columns: '' }, 'with rows')
})

t.test('of deeper levels', async (t) => {
  const days = ['2023/month=1/day=1', '2023/month=2/day=1', '2024/month=1/day=1', '2024/month=3/day=x']
  const { list } = await observedRoot(
    t,
    days.map((each) => `year=${each}/a.csv`),
  )
  t.match(
    await list(['**/*.csv'], where(['year', 'eq', 2023], ['month', 'eq', 2])),
    {
      files: ['year=2023/month=2/day=1/a.csv'],
      columns: 'year Int64, month Int64, day Utf8',
      read: [
        '.',
        'year=2023',
        'year=2023/month=1',
        'year=2023/month=2',
        'year=2023/month=2/day=1',
        'year=2024',
        'year=2024/month=1',
        'year=2024/month=3',
      ],
    },
    'names tell the types of deeper levels; folders that are excluded and have only files are not read',
  )
  const { read } = await list(['**/*.csv'], where(['day', 'eq', 'x']))
  t.notOk(read.includes('year=2023/month=1/day=1'))
})

t.test('whose names cannot change the types', async (t) => {
  const { list } = await observedRoot(t, [
    'year=2023/month=01/a.csv',
    'year=2024/month=02/a.csv',
    'year=2024/month=03/a.csv',
  ])
  t.match(await list(['**/*.csv'], where(['year', 'eq', 2024], ['month', 'eq', '03'])), {
    files: ['year=2024/month=03/a.csv'],
    columns: 'year Int64, month Utf8',
    read: ['.', 'year=2024', 'year=2024/month=03'],
  })
})

t.test('below several paths', async (t) => {
  const { list } = await observedRoot(t, ['a/year=2023/a.csv', 'b/year=2024/b.csv', 'c/year=2024/x=1/c.csv'])
  const paths = ['a/year=2023/*.csv', 'b/**', 'a/year=2023/a.csv']
  t.match(await list(paths, where(['year', 'eq', 2024])), {
    files: ['b/year=2024/b.csv'],
    columns: 'year Int64',
    read: ['b', 'b/year=2024'],
  })
  t.match(await list(paths, where(['year', 'lt', 2024])), { files: ['a/year=2023/a.csv'], isNarrowed: true })
  t.match(
    await list(['a/**', 'c/**'], where(['year', 'eq', 2024])),
    { files: ['c/year=2024/x=1/c.csv'], columns: 'year Int64, x Int64' },
    'folders that are excluded need not have the same keys',
  )
  t.match(await list(['a/**', 'c/**']), { files: { length: 2 }, columns: '' })
  await t.rejects(list(['a/**', 'none/*.csv'], where(['year', 'eq', 2023])), { code: 'no_files' })
})

t.test('what is kept of a search with a filter is not used for another, and sees what is new', async (t) => {
  const { again, put, location } = await observedRoot(t, ['t/year=2023/a.csv', 't/year=2024/a.csv'])
  await untilSettled(location)
  const since = where(['year', 'gt_eq', 2024])
  const first = await again(['t/**'], since)
  const second = await again(['t/**'], since)
  t.same([second.read, second.files], [[], first.files])
  t.ok(first.fingerprint.isVerifiable)
  t.strictSame(second.fingerprint.versions, first.fingerprint.versions)
  t.notOk([...first.fingerprint.versions.keys()].some((path) => path.includes('2023')))
  t.same((await again(['t/**'], where(['year', 'eq', 2023]))).files, ['t/year=2023/a.csv'])
  t.same((await again(['t/**'])).files.length, 2)

  await put('t/year=2025/a.csv')
  t.same((await again(['t/**'], since)).files, ['t/year=2024/a.csv', 't/year=2025/a.csv'], 'a folder')
  await put('t/year=2024/b.csv')
  await untilSettled(location)
  t.same((await again(['t/**'], since)).files.length, 3, 'a file')
  t.match(await again(['t/**'], since), { files: { length: 3 }, read: [] })
  renameSync(join(location, 't/year=2023'), join(location, 't/year=x'))
  t.match(await again(['t/**'], since), { columns: 'year Utf8', files: { length: 4 } }, 'a name')
  rmSync(join(location, 't/year=x'), { recursive: true })
  t.match(await again(['t/**'], since), { columns: 'year Int64', files: { length: 3 } })
})

t.test('a filter that excludes nothing costs no search of its own', async (t) => {
  const { again, location } = await observedRoot(t, ['t/year=2023/a.csv', 't/year=2024/a.csv', 'u/a.csv'])
  await untilSettled(location)
  await again(['t/**'])
  await again(['t/**'], where(['year', 'gt', 0]))
  t.same((await again(['t/**'], where(['year', 'gt', 0]))).read, [])
  t.same((await again(['t/**'], where(['n', 'gt', 0]))).read, [])
  const [first, second] = [await again(['t/**']), await again(['t/**'])]
  t.equal(first.found.files, second.found.files, 'equal queries get the same list')
  await again(['u/**'], where(['year', 'gt', 0]))
  t.match(await again(['u/**'], where(['year', 'gt', 1])), { read: [], columns: '' })
})
