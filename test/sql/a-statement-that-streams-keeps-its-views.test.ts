import { writeFileSync } from 'node:fs'
import t from 'tap'
import { numbersOf, startAskedService } from '../answers/asking.ts'
import { changingCatalog, csvSource } from '../catalog/two-tables.ts'

t.test('an answer that streams ends as it began', async (t) => {
  const catalog = changingCatalog()
  const service = await startAskedService(t, { catalog })
  const numbers = async (from: string): Promise<readonly number[]> =>
    numbersOf(await service.post({ sql: `SELECT n | 0 AS n FROM ${from}` }))
  const rows = 400_000
  writeFileSync(service.at('large.csv'), `n\n${Array.from({ length: rows }, (_, n) => n).join('\n')}\n`)
  catalog.define('large', csvSource('large.csv'))
  await service.settle()
  // The last is bound again for each of its parts.
  for (const where of ['n >= 0', 'n >= 0 ORDER BY n', 'now() IS NOT NULL']) {
    catalog.view('v', 'SELECT n + 1 AS n FROM large', 'large')
    const sql = `SELECT n | 0 AS n FROM v WHERE ${where}`
    const body = (await service.post({ sql })).body?.getReader()
    const first = await body?.read()
    t.ok(first?.value, 'it has begun')
    catalog.view('v', "SELECT 'x' AS x, 5 AS n")
    t.same(await numbers('v'), [5])
    catalog.drop('v')
    t.same(await numbers('(WITH v AS (SELECT 6 AS n) FROM v)'), [6])
    const chunks = [first?.value ?? new Uint8Array()]
    for (let next = await body?.read(); next && !next.done; next = await body?.read()) chunks.push(next.value)
    const streamed = await numbersOf(new Response(Buffer.concat(chunks)))
    t.equal(streamed.length, rows, where)
    t.equal(streamed.at(-1), rows)
  }
})

t.test('each of many readers sees its tables and views as they were at one moment', async (t) => {
  const catalog = changingCatalog()
  const service = await startAskedService(t, { catalog })
  const versions = 40
  const define = (version: number): void => {
    catalog.view('low', `SELECT ${version} AS n, range AS r FROM range(${(version % 5) + 1})`)
    catalog.view('high', `SELECT n, r, ${version} AS m FROM low WHERE r >= 0`, 'low')
  }
  await service.settle()
  let present = 0
  let isOver = false
  define(present)
  const reader = async (): Promise<number> => {
    let asked = 0
    for (; !isOver; asked++) {
      const from = present
      const sql = `SELECT min(l.n) + 0 AS l, max(h.n) AS h, max(h.m) AS m, count(*) AS c FROM low l JOIN high h ON l.r = h.r`
      const response = await service.post({ sql, output: { format: 'csv' } })
      const text = await response.text()
      const [, line = text] = text.split('\n')
      const [l, h, m, c] = line.split(',').map(Number)
      t.ok(l === h && h === m && c === (Number(l) % 5) + 1, line)
      t.ok(Number(l) >= from && Number(l) <= present, `${line}, from ${from} to ${present}`)
    }
    return asked
  }
  const readers = Array.from({ length: 16 }, reader)
  for (let version = 1; version < versions; version++) {
    present = version
    define(version)
    const answer = await service.post({ sql: 'SELECT n | 0 AS n FROM high LIMIT 1' })
    t.same(await numbersOf(answer), [version])
  }
  isOver = true
  const asked = (await Promise.all(readers)).reduce((sum, each) => sum + each, 0)
  t.ok(asked >= 16, `${asked} answers`)
})
