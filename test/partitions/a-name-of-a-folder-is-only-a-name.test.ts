import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { partitionOf } from '../../src/main/datasets/partitions/partition.ts'
import { FILENAME_COLUMN } from '../../src/plan/source/path-options.ts'
import { startTestService } from '../e2e/service.ts'
import { observedRoot, where } from './searching.ts'

t.test('keys and values', async (t) => {
  for (const [name, key, value] of [
    ['a=b', 'a', 'b'],
    ['a=', 'a', null],
    ['a=__HIVE_DEFAULT_PARTITION__', 'a', null],
    ['a=%5F_HIVE_DEFAULT_PARTITION__', 'a', '__HIVE_DEFAULT_PARTITION__'],
    ['a=b=c', 'a', 'b=c'],
    ['a%3Db=c', 'a=b', 'c'],
    ['a=%', 'a', '%'],
    ['a=%zz%2', 'a', '%zz%2'],
    ['a=%2F%2f', 'a', '//'],
    ['a=%25%32%30', 'a', '%20'],
    ['a=%C3%A9é', 'a', 'éé'],
    ['a=x%FF%FEy%20', 'a', 'x%FF%FEy '],
    ['a=%00', 'a', '\0'],
    ['a=+', 'a', '+'],
    ['a=..', 'a', '..'],
    ['a=NULL', 'a', 'NULL'],
    [' a = b ', ' a ', ' b '],
    ['__proto__=1', '__proto__', '1'],
  ] as const)
    t.same(partitionOf(name), { key, value }, name)
  for (const name of ['', '=', '=b', 'a', '%3D']) t.equal(partitionOf(name), null, name)
})

t.test('keys that are equal, or differ in case', async (t) => {
  const { list } = await observedRoot(t, [
    'a/k=1/k=2/x.csv',
    'b/K=1/x.csv',
    'b/k=2/x.csv',
    'c/K=1/k=2/x.csv',
    'd/%6B=1/x.csv',
  ])
  t.match(await list(['a/**']), { files: { length: 1 }, columns: '' }, 'a key twice')
  await t.rejects(list(['a/**'], undefined, { hivePartitioning: true, filename: false }), {
    code: 'schema_conflict',
    message: /"a\/k=1\/k=2\/x\.csv" has k, k, one of them twice/,
  })
  t.match(await list(['b/**']), { files: { length: 2 }, columns: '' }, 'different keys')
  t.match(await list(['c/**'], where(['k', 'eq', 2])), { files: { length: 1 }, columns: 'K Int64, k Int64' })
  t.match(await list(['b/k=2/*', 'd/**']), { files: { length: 2 }, columns: 'k Int64' }, 'keys are decoded')
})

t.test('names that no file system call accepts, and very many levels', async (t) => {
  const deep = Array.from({ length: 120 }, (_, depth) => `k${depth}=${depth}`).join('/')
  const long = `k=${'x'.repeat(253)}`
  const { list, location } = await observedRoot(t, [
    `deep/${deep}/x.csv`,
    `long/${long}/x.csv`,
    'bytes/k=1/x.csv',
  ])
  mkdirSync(Buffer.concat([Buffer.from(join(location, 'bytes/k=')), Buffer.from([0xff, 0xfe])]))
  const found = await list(['deep/**'], where(['k119', 'eq', 119]))
  t.equal(found.columns.split(', ').length, 120)
  t.same((await list(['deep/**'], where(['k119', 'eq', 1]))).files.length, 1, 'none passes')
  t.match(await list(['long/**'], where(['k', 'neq', 'x'])), { files: [`long/${long}/x.csv`] })
  t.match(
    await list(['bytes/**']),
    { files: ['bytes/k=1/x.csv'] },
    'a name that is not UTF-8 leads to no file',
  )
  t.match(await list(['bytes/**'], where(['k', 'eq', '1'])), { files: ['bytes/k=1/x.csv'] })
})

t.test('in queries', async (t) => {
  const { datasets, rows } = await startTestService(t, { workers: 1 })
  const names = [
    '__proto__=1',
    'constructor=a b',
    'quo"te=it\'s',
    'line%0Abreak=%2F..%2F',
    `${FILENAME_COLUMN}=own`,
    'n=7',
  ]
  const folder = join(datasets, names.join('/'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'x=y.csv'), 'n,m\n1,2\n')
  const columns = ['m', '__proto__', 'constructor', 'quo"te', 'line\nbreak', 'filename', 'n']
  const values = [2n, 1n, 'a b', "it's", '/../', 'own', 7n]
  for (const list of ['*', '*, 1 AS one']) {
    const table = await rows({ sql: `SELECT ${list} FROM read_csv('**')` })
    t.same(table.schema.fields.map(({ name }) => name).slice(0, 7), columns)
    t.same(
      columns.map((name) => table.getChild(name)?.get(0)),
      values,
      list,
    )
  }
  const json = await rows({
    select: columns,
    from: { csv: { paths: ['**'] } },
    filters: [
      { column: '__proto__', eq: 1 },
      { column: 'line\nbreak', eq: '/../' },
      { column: 'n', eq: 7 },
    ],
  })
  t.same(
    columns.map((name) => json.getChild(name)?.get(0)),
    values,
  )
  const sql = await rows({
    sql: `SELECT "quo""te" AS q FROM read_csv('**') WHERE "line\nbreak" = '/../' AND "__proto__" = 1 AND "constructor" >= 'a'`,
  })
  t.same([...(sql.getChild('q') ?? [])], ["it's"])
  const named = await rows({ sql: "SELECT filename FROM read_csv('**', filename = true)" })
  t.same(
    [...(named.getChild('filename') ?? [])],
    [`${names.join('/')}/x=y.csv`],
    'what is asked for wins over a folder',
  )
})

t.test(
  'a name that differs from that of a column of a file in case alone, as in native DuckDB',
  async (t) => {
    const { datasets, rows } = await startTestService(t, { workers: 1 })
    for (const [year, value] of [
      [2023, 1],
      [2024, 2],
    ]) {
      mkdirSync(join(datasets, `year=${year}`))
      writeFileSync(join(datasets, `year=${year}/a.csv`), `n,YEAR\n${value},2024\n`)
    }
    const numbers = async (query: object) => [...((await rows(query)).getChild('n') ?? [])].map(Number)
    for (const name of ['year', 'YEAR']) {
      t.same(await numbers({ sql: `SELECT n FROM read_csv('**') WHERE ${name} = 2024` }), [2], name)
      t.same(await numbers({ sql: `SELECT n | 0 AS n FROM read_csv('**') WHERE ${name} = 2024` }), [2], name)
    }
    const from = { csv: { paths: ['**'] } }
    t.same(await numbers({ from, select: ['n'], filters: [{ column: 'year', eq: 2024 }] }), [2])
  },
)
