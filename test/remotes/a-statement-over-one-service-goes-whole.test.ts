import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { startTables, waysToAsk } from '../external/tables.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { PATIENT } from '../postgres/server.ts'
import { fc } from '../support/generate.ts'
import { generatedCsv, LOCAL, queries } from './orders-and-conditions.ts'

const ROWS = 300
const RUNS = 60
const there = await startTables(t, PATIENT)
const here = await startTables(t, { ...PATIENT, dataDir: join(there.dataDir, 'here') })
const { host } = new URL(there.url)

/** The plan of a query, without what it looks like. */
async function plan(query: object | string): Promise<string> {
  return JSON.stringify(JSON.parse(await here.explain(query)))
}

t.test('of another service of this version', async (t) => {
  for (const service of [there, here]) {
    service.put('local.csv', generatedCsv(ROWS))
    await service.settle()
    for (const sql of LOCAL) t.equal(await service.command(sql), '')
  }
  t.equal(
    await here.command(`CREATE EXTERNAL TABLE far STORED AS REMOTE LOCATION 'service://${host}/local'`),
    '',
  )
  t.equal(await here.command(`ATTACH 'service://${host}' AS partner`), '')
})

const SHAPES: readonly (readonly [sql: string, statement: RegExp])[] = [
  [
    'SELECT * FROM far',
    /"SELECT \\"id\\", \\"n\\", \\"x\\", \\"word\\", \\"day\\", \\"price\\" FROM \\"public\\".\\"local\\""/,
  ],
  ['SELECT n + 1 AS m FROM far WHERE x > 0.5 LIMIT 3 OFFSET 2', /\\"x\\" > 5e-1 LIMIT 3 OFFSET 2"/],
  [
    "SELECT upper(word) FROM far WHERE word LIKE '%b' ORDER BY day DESC",
    /LIKE '%b'\) ORDER BY \\"day\\" DESC NULLS FIRST"/,
  ],
  [
    'SELECT id FROM (SELECT * FROM far WHERE n > 3) WHERE x IS NULL',
    /WHERE \\"n\\" > .* AND \\"x\\" IS NULL"/,
  ],
]

t.test('EXPLAIN has one node with the statement, which is made from the plan', async (t) => {
  for (const [sql, statement] of SHAPES) {
    const printed = await plan(sql)
    t.match(printed, /^\[\{"Plan":\{"Node Type":"Federated"/, sql)
    t.match(printed, /"Relayed":true/, sql)
    t.match(printed, statement, sql)
  }
  t.match(await plan('SELECT n, n FROM far'), /"Not Relayed":"its answer has equal names"/)
  t.match(
    await plan('SELECT count(*) FROM far WHERE n < (SELECT max(n) FROM rows_of_local)'),
    /"Not Relayed":"it reads other tables than those of one service"/,
  )
  t.match(
    await here.analyze('SELECT id, x FROM far WHERE id < 10'),
    /"Rows Received": *10, *"Bytes Received": *[1-9]/,
  )
})

t.test('the rows are those of the table, in each way in which they are asked for', async (t) => {
  const names = ['id', 'n', 'x', 'word', 'day', 'price']
  const expected = await there.ask('SELECT * FROM local')
  for (const [way, query] of Object.entries(waysToAsk('far', names)))
    t.same(await here.ask(query), expected, way)
  const attached = { sql: 'SELECT * FROM partner.public.local', output: { format: 'csv' } }
  const answer = await here.post(attached, SUPER_USER)
  t.same((await answer.text()).trim().split('\n'), expected)
  t.match(await plan(attached), /"Relayed":true/)
  t.equal(await here.command('CREATE VIEW above AS SELECT id, word FROM far WHERE n < 30'), '')
  t.match(await plan('SELECT word FROM above WHERE id > 3'), /"Relayed":true/)
  t.same(
    await here.ask('SELECT word FROM above WHERE id > 3'),
    await there.ask('SELECT word FROM local WHERE n < 30 AND id > 3'),
  )
})

t.test('names, types and values are those of a query of the same rows here', async (t) => {
  const bytesOf = async (sql: string): Promise<Uint8Array> => {
    const answer = await here.post({ sql })
    return new Uint8Array(await answer.arrayBuffer())
  }
  const shown = (bytes: Uint8Array): unknown => {
    const table = tableFromIPC(bytes)
    return [String(table.schema), table.toArray().map(String)]
  }
  const relayed: string[] = []
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      t.strictSame(shown(await bytesOf(query('far'))), shown(await bytesOf(query('local'))), query('far'))
      if ((await plan(query('far'))).includes('"Relayed":true')) relayed.push(query('far'))
    }),
    { numRuns: RUNS },
  )
  t.ok(relayed.length > RUNS / 2, `${relayed.length} were relayed`)
})
