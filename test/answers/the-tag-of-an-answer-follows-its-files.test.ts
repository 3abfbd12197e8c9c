import { appendFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { csv, startAskedService } from './asking.ts'

const FROM = { parquet: { paths: ['*.parquet'] } }

const QUERIES: readonly object[] = [
  { from: FROM, select: ['id', 'noise', 'name'], filters: [{ column: 'noise', min: 0.2 }] },
  { from: FROM, select: ['id', 'name'], limit: 700, offset: 300 },
  { from: FROM, select: ['id', 'name'], output: { format: 'csv' } },
  { from: FROM, select: ['id', 'name'], output: { format: 'arrow' } },
  { from: FROM, select: ['noise', 'id'], sort_by: [{ Desc: 'noise' }], limit: 40 },
  {
    sql: "SELECT name, sum(noise) AS s, avg(noise) AS m, count(*) AS n FROM read_parquet('*.parquet') GROUP BY name",
  },
  { sql: "SELECT count(*) AS n, min(id) AS least FROM read_parquet('*.parquet')" },
]

interface Tagged {
  readonly tag: string | null
  readonly bytes: Buffer
}

async function tagged(response: Response): Promise<Tagged> {
  if (response.status !== 200) throw new Error(await response.text())
  return { tag: response.headers.get('etag'), bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The answers of a service of its own over the files of a folder. */
async function answersOver(t: Test, folder: string, workers: number): Promise<readonly Tagged[]> {
  const service = await startAskedService(t, { workers, settings: { SERVICE_DATASETS_DIR: folder } })
  await service.settle()
  const answers: Tagged[] = []
  for (const query of QUERIES)
    answers.push(await tagged(await service.get(query, { 'accept-encoding': 'identity' })))
  return answers
}

t.test('one tag is one sequence of bytes, whoever made it with however many workers', async (t) => {
  const folder = t.testdir({})
  for (const name of ['a', 'b', 'c'])
    writeParquetFile(join(folder, `${name}.parquet`), numberedRows(8000), 1000)
  const made: (readonly Tagged[])[] = []
  for (const workers of [1, 3])
    await t.test(`${workers} workers`, async (t) => {
      made.push(await answersOver(t, folder, workers))
    })
  const [byOne = [], byThree = []] = made
  t.same(
    byThree.map(({ tag }) => tag),
    byOne.map(({ tag }) => tag),
  )
  for (const [index, { tag, bytes }] of byOne.entries()) {
    t.match(tag, /^"[\w-]{22}"$/)
    t.ok(byThree[index]?.bytes.equals(bytes), JSON.stringify(QUERIES[index]))
  }
  t.equal(new Set(byOne.map(({ tag }) => tag)).size, QUERIES.length)
})

t.test('it is another one when a file changes, comes or goes to another', async (t) => {
  const service = await startAskedService(t)
  const query = { from: { csv: { paths: ['*.csv'] } }, select: ['n'] }
  const tags = new Set<string | null>()
  const note = async (): Promise<void> => {
    await service.settle()
    tags.add((await tagged(await service.get(query, { 'accept-encoding': 'identity' }))).tag)
  }
  writeFileSync(service.at('a.csv'), csv(1, 2))
  await note()
  appendFileSync(service.at('a.csv'), '3\n')
  await note()
  writeFileSync(service.at('a.csv'), csv(4, 5, 6), { flag: 'r+' })
  await note()
  writeFileSync(service.at('b.csv'), csv(7))
  await note()
  symlinkSync('b.csv', service.at('c.csv'))
  await note()
  t.ok(tags.size >= 4)
  t.notOk(tags.has(null))
})
