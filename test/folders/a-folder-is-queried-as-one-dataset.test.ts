import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { TestService } from '../e2e/service.ts'
import { writeChunk, writeDocument, writeToy } from '../formats/toy-folder/write.ts'
import { untilSettled } from '../support/settled.ts'
import { below, numbersIn, startToyService } from './toy-service.ts'

const A = [0, 1, 2].flatMap((value) => Array<number>(4).fill(value))
const B = [10, -1, 12].flatMap((value) => Array<number>(4).fill(value))

const ENGINES = {
  JSON: (paths: readonly string[]) => ({ from: { toy: { paths } }, select: ['a', 'b'] }),
  SQL: (paths: readonly string[]) => ({ sql: `SELECT a, b FROM read_toy([${quoted(paths)}])` }),
  DuckDB: (paths: readonly string[]) => ({
    sql: `SELECT a + 0 * random() AS a, b FROM read_toy([${quoted(paths)}])`,
  }),
}

const quoted = (paths: readonly string[]): string => paths.map((path) => `'${path}'`).join()

async function refusal(service: TestService, paths: readonly string[]): Promise<string> {
  const answer = await service.query(ENGINES.JSON(paths))
  return `${answer.status} ${await answer.text()}`
}

async function folders(t: Test): Promise<TestService> {
  const service = await startToyService(t)
  writeToy(below(service, 'one.toy'))
  writeToy(below(service, 'more/deep.toy'))
  mkdirSync(below(service, 'more/empty'))
  return service
}

t.test('by its name, its marker, or a pattern of either, in both engines', async (t) => {
  const service = await folders(t)
  for (const [engine, query] of Object.entries(ENGINES)) {
    for (const path of ['one.toy', 'one.toy/', 'one.toy/toy.json', '*.toy', '*/toy.json', '*.toy/*.json']) {
      const rows = await service.rows(query([path]))
      t.same(numbersIn(rows, 'a'), A, `${engine}: ${path}`)
      t.same(numbersIn(rows, 'b'), B)
    }
    for (const path of ['**', '**/*.toy', '**/toy.json', '.'])
      t.same(numbersIn(await service.rows(query([path])), 'a'), [...A, ...A], `${engine}: ${path}`)
    t.same(numbersIn(await service.rows(query(['more', 'one.toy', '*.toy'])), 'a'), [...A, ...A], 'each once')
  }
  const filtered = { from: { toy: { paths: ['**'] } }, select: ['a'], filter: { column: 'b', eq: -1 } }
  t.same(numbersIn(await service.rows(filtered)), Array(8).fill(1))
  const grouped = { sql: "SELECT b AS a, count(*) AS n FROM read_toy('**') GROUP BY b" }
  t.same(numbersIn(await service.rows(grouped), 'n'), [8, 8, 8])
})

t.test('what is none says so', async (t) => {
  const service = await folders(t)
  writeFileSync(below(service, 'a.csv'), 'a\n1\n')
  t.match(await refusal(service, ['more/empty']), /^400 .*No folder with toy.json matched .*more\/empty/)
  t.match(await refusal(service, ['none.toy']), /^400 .*No folder with toy.json/)
  t.match(await refusal(service, ['a.csv']), /^400 .*a.csv is no folder that holds toy.json/)
  t.match(await refusal(service, ['one.toy/a/0']), /^400 .*no folder that holds toy.json/)
  t.match(await refusal(service, ['../one.toy']), /^400 .*`\.\.` part/)
  const parquet = await service.query({ from: { parquet: { paths: ['one.toy'] } }, select: ['a'] })
  t.equal(parquet.status, 400, 'its objects are no files of another format')
  t.match(
    await parquet.text(),
    /No file matched .*one.toy.*; this folder is one dataset of another format, as its toy.json says\./,
  )
})

t.test('what is damaged is named', async (t) => {
  const service = await folders(t)
  writeFileSync(below(service, 'one.toy/toy.json'), '{')
  t.match(await refusal(service, ['one.toy']), /^400 .*one.toy.* cannot be read as Toy/)
  writeToy(below(service, 'one.toy'))
  writeFileSync(below(service, 'one.toy/a/1'), 'no chunk')
  t.match(await refusal(service, ['one.toy']), /^400 .*one.toy.* cannot be read as Toy/)
})

t.test('a link out of the root, or inside of it, is not followed', async (t) => {
  const service = await folders(t)
  writeToy(below(service, '../outside.toy'))
  symlinkSync('../outside.toy', below(service, 'out.toy'))
  symlinkSync('one.toy', below(service, 'link.toy'))
  t.match(await refusal(service, ['out.toy']), /leads out of the dataset root/)
  t.same(
    numbersIn(await service.rows(ENGINES.JSON(['link.toy']))),
    A,
    'one that is named is followed, as of files',
  )
  t.same(numbersIn(await service.rows(ENGINES.JSON(['*.toy']))), A, 'one that a pattern meets is not')
  symlinkSync('../../outside.toy/a', below(service, 'one.toy/c'))
  writeDocument(below(service, 'one.toy'), 'more.json', ['c'])
  const linked = await service.query({ from: { toy: { paths: ['one.toy'] } }, select: ['c'] })
  t.equal(linked.status, 400)
  t.match(await linked.text(), /one.toy\/c.* is a symbolic link/)
})

t.test('it has a schema, and is listed as its marker, whatever is in it', async (t) => {
  const service = await folders(t)
  writeFileSync(below(service, 'one.toy/a/x.parquet'), '')
  writeToy(below(service, 'one.toy/inner.toy'))
  writeFileSync(below(service, 'file.toy'), '')
  const json = async (path: string) => (await fetch(`${service.url}${path}`)).json()
  for (const file of ['one.toy', 'one.toy/toy.json', '*.toy', '**/toy.json']) {
    const { fields } = (await json(`/api/dataset-schema?file=${file}`)) as { fields: { name: string }[] }
    t.same(
      fields.map(({ name }) => name),
      ['a', 'b'],
      file,
    )
  }
  const all = ['more/deep.toy/toy.json', 'one.toy/toy.json']
  t.same(await json('/api/datasets'), all)
  t.equal(await json('/api/total-datasets'), 2)
  const listed = (pattern: string) => json(`/api/datasets?pattern=${pattern}`)
  t.same(await listed('one.toy/**'), ['one.toy/toy.json'])
  t.same(await listed('one.toy'), ['one.toy/toy.json'])
  t.same(await listed('*/toy.json'), ['one.toy/toy.json'])
  t.same(await listed('one.toy/toy.json'), ['one.toy/toy.json'])
  for (const inside of ['one.toy/a/**', 'one.toy/a/*', 'one.toy/inner.toy', 'one.toy/inner.toy/toy.json'])
    t.same(await listed(inside), [], `${inside} is not a dataset of its own`)
})

t.test('one that was written to just now is right, and no error', async (t) => {
  const service = await startToyService(t)
  const folder = below(service, 'one.toy')
  writeToy(folder)
  for (const query of Object.values(ENGINES))
    for (let value = 100; value < 110; value++) {
      writeChunk(folder, 'a/2', value)
      const expected = [...A.slice(0, 8), ...Array<number>(4).fill(value)]
      t.same(numbersIn(await service.rows(query(['one.toy']))), expected)
      if (value === 105) await untilSettled(folder)
    }
})
