import { join } from 'node:path'
import t from 'tap'
import { startTables } from '../external/tables.ts'

const there = await startTables(t)
// One of the same version would make the whole answer.
const remotes = { version: 'another one' }
const here = await startTables(t, { remotes, dataDir: join(there.dataDir, 'here') })
const port = new URL(there.url).port
there.put(
  'obs.csv',
  `n,x,word\n${Array.from({ length: 100 }, (_, i) => `${i},${i / 2},w${i % 3}`).join('\n')}\n`,
)
await there.settle()

/** The text of a plan without the blanks between its members. */
function compact(plan: string): string {
  return JSON.stringify(JSON.parse(plan))
}

async function explain(query: object | string): Promise<string> {
  return compact(await here.explain(query))
}

t.test('the node of a table in another service has the statement that is sent', async (t) => {
  t.equal(await there.command("CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'"), '')
  t.equal(
    await here.command(
      `CREATE EXTERNAL TABLE far STORED AS REMOTE LOCATION 'service://127.0.0.1:${port}/obs'`,
    ),
    '',
  )
  const simple = await explain("SELECT n FROM far WHERE n > 5 AND word LIKE '%2' LIMIT 3")
  t.match(simple, /"Node Type":"Federated"/)
  t.match(
    simple,
    /"Remote Statement":"SELECT \\"n\\", \\"word\\" FROM \\"public\\"\.\\"obs\\" WHERE \\"n\\" > CAST\('5' AS BIGINT\)"/,
  )
  t.match(simple, /"Filters Applied Here":\[/)
  t.notMatch(simple, /Received|"Files"/)
  t.match(
    await explain('SELECT n FROM far LIMIT 3 OFFSET 2'),
    /"Remote Statement":"SELECT \\"n\\" FROM \\"public\\"\.\\"obs\\" LIMIT 5"/,
  )
  t.match(
    await explain({ from: 'far', select: ['x'], filters: [{ column: 'n', eq: 7 }] }),
    /"Remote Statement":"SELECT \\"n\\", \\"x\\" FROM \\"public\\"\.\\"obs\\" WHERE \\"n\\" = CAST\('7' AS BIGINT\)"/,
  )
  t.match(
    await explain('SELECT count(*) FROM far a JOIN far b ON a.n = b.n WHERE a.n < 9'),
    /"Node Type":"Federated"/,
  )
})

t.test('with what came, if it was asked', async (t) => {
  for (const sql of [
    'SELECT n FROM far WHERE n < 10',
    'SELECT n, row_number() OVER () FROM far WHERE n < 10',
  ]) {
    const analyzed = compact(await here.analyze(sql))
    t.match(analyzed, /"Rows Received":10,"Bytes Received":[1-9]/, sql)
    t.match(analyzed, /"Actual Rows":10/)
  }
})
