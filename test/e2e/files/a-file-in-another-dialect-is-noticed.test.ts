import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { createFigures } from '../../../src/main/history/figures.ts'
import { logQuery } from '../../../src/main/query/run/query-log.ts'
import { post } from '../../http/test-server.ts'
import { ANYBODY } from '../../support/callers.ts'
import { startTestService } from '../service.ts'

const NOTICE = `"semi.csv": delimiter = ';', or 'auto', would give 3 columns, and it was read as one`

t.test('in the header, in EXPLAIN and in errors', async (t) => {
  const service = await startTestService(t)
  writeFileSync(join(service.datasets, 'semi.csv'), 'a;b;c\n1;2;3\n')
  for (const query of [
    { select: ['a;b;c'], from: { csv: { paths: ['semi.csv'] } } },
    { sql: `SELECT "a;b;c" FROM read_csv('semi.csv')` },
    { sql: `SELECT lower("a;b;c") FROM read_csv('semi.csv')` },
  ]) {
    for (const time of ['first', 'second']) {
      const answer = await service.query(query)
      t.equal(answer.status, 200)
      t.equal(answer.headers.get('x-service-notice'), NOTICE, time)
      await answer.arrayBuffer()
    }
    const explained = await post(`${service.url}/api/explain-query`, query)
    const [{ Plan }] = (await explained.json()) as [{ Plan: { Notices: unknown } }]
    t.same(Plan.Notices, [NOTICE])
  }
  for (const query of [
    { select: ['b'], from: { csv: { paths: ['semi.csv'] } } },
    { sql: "SELECT b FROM read_csv('semi.csv')" },
    { sql: "SELECT lower(b) FROM read_csv('semi.csv')" },
  ]) {
    const answer = await service.query(query)
    t.equal(answer.status, 400)
    const text = String(JSON.parse(await answer.text()))
    t.ok(text.endsWith(`(${NOTICE})`), text)
  }
})

t.test('a header holds any name, and a file in its dialect has none', async (t) => {
  const service = await startTestService(t)
  writeFileSync(join(service.datasets, 'a.csv'), 'Größe\n"x\n"\n')
  writeFileSync(join(service.datasets, 'b.csv'), 'Größe 日;b\n1,5;1\n2,5;2\n')
  const notice = async (csv: object): Promise<string | null> => {
    const columns = await service.query({ select: [{ value: 1, alias: 'one' }], from: { csv } })
    t.equal(columns.status, 200)
    await columns.arrayBuffer()
    return columns.headers.get('x-service-notice')
  }
  t.equal(await notice({ paths: ['a.csv'] }), null)
  t.equal(
    await notice({ paths: ['b.csv'], delimiter: ';' }),
    '"b.csv": decimal = \',\' would read "Gr\\u00f6\\u00dfe \\u65e5" as numbers',
  )
  t.equal(await notice({ paths: ['b.csv'], delimiter: ';', decimal: ',' }), null)
  t.match(await notice({ paths: ['*.csv'], delimiter: ';' }), /^"b\.csv": /)
})

t.test('in the log', async (t) => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const ended = { id: '1', caller: ANYBODY, figures: createFigures(), outcome: 'done' } as const
  logQuery(log, { ...ended, notices: new Set([NOTICE]) })
  logQuery(log, { ...ended, notices: new Set() })
  t.same(
    lines.map((line) => JSON.parse(line).notice),
    [NOTICE, undefined],
  )
})
