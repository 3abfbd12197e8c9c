import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import t from 'tap'
import { csv, idOf, startAskedService } from './asking.ts'

t.test('a kept answer, and its tag', async (t) => {
  const { at, get, post, settle } = await startAskedService(t, { workers: 1 })
  const put = (path: string, number: number): void => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), csv(number))
  }
  put('t/year=2023/a.csv', 1)
  put('t/year=2024/a.csv', 2)
  await settle()
  const all = { select: ['n', 'year'], from: { csv: { paths: ['t/**'] } } }
  const late = { ...all, filters: [{ column: 'year', gt: 2023 }] }
  const rows = async (query: object) => {
    const response = await post({ ...query, output: { format: 'csv' } })
    return { id: idOf(response), rows: (await response.text()).trim().split('\n').slice(1) }
  }
  const tag = async (query: object) => (await get(query)).headers.get('etag') ?? 'none'
  const isSame = async (query: object, etag: string) =>
    (await get(query, { 'if-none-match': etag })).status === 304

  const first = await rows(late)
  t.same(first.rows, ['2,2024'])
  t.equal((await rows(late)).id, first.id, 'it is kept')
  const tags = { all: await tag(all), late: await tag(late) }
  t.ok((await isSame(all, tags.all)) && (await isSame(late, tags.late)))

  put('t/year=2023/b.csv', 3)
  await settle()
  t.equal((await rows(late)).id, first.id, 'a file in a folder that the filter excludes changes nothing')
  t.notOk(await isSame(all, tags.all))

  put('t/year=2025/a.csv', 4)
  await settle()
  t.same((await rows(late)).rows, ['2,2024', '4,2025'])
  t.notOk(await isSame(late, tags.late))

  const before = await tag(all)
  renameSync(at('t/year=2025'), at('t/year=2026'))
  await settle()
  t.notOk(await isSame(all, before), 'no file has changed, but the name of a folder')
  t.same((await rows(late)).rows, ['2,2024', '4,2026'])

  const numbers = await tag(late)
  mkdirSync(at('t/year=none'))
  await settle()
  t.same((await rows({ ...all, filters: [{ column: 'year', gt: '2025' }] })).rows, ['4,2026'], 'text by now')
  t.notOk(await isSame({ ...all, filters: [{ column: 'year', eq: '2024' }] }, numbers))
})
