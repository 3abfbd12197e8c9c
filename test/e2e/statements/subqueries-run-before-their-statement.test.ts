import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import { Table, tableFromArrays } from 'apache-arrow'
import t, { type Test } from 'tap'
import { startAskedService } from '../../answers/asking.ts'
import { post } from '../../http/test-server.ts'
import { startEnforced } from '../../rights/enforced.ts'
import { toldOn } from '../../support/told.ts'
import { until } from '../../support/until.ts'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'
import { GATE, TASKS } from '../workers/told-tasks.ts'

const ROWS = 10_240
const X = "read_parquet('x.parquet')"
const Y = "read_parquet('y.parquet')"

t.test('their values prune, and EXPLAIN tells them', async (t) => {
  const service = await startTestService(t, { workers: 2 })
  writeParquetFile(join(service.datasets, 'x.parquet'), numberedRows(ROWS), 2048)
  writeParquetFile(join(service.datasets, 'y.parquet'), numberedRows(100, 9000), 100)
  const sql = `SELECT id FROM ${X} WHERE id >= (SELECT max(id) - 9 FROM ${Y}) AND id < 9200 ORDER BY id`
  const explained = async (route: string, body: object): Promise<string> =>
    JSON.stringify(await (await post(`${service.url}/api/${route}`, body)).json())

  t.same([...((await service.rows({ sql })).getChild('id') ?? [])], range(9090, 9200))

  const plan = await explained('explain-query', { sql })
  t.notMatch(plan, /DuckDB/)
  t.match(plan, /"Condition":"id >= \$1/, 'a plan that is not run has the names of subqueries')
  t.match(plan, /"Node Type":"Subquery","Engine":"core","Name":"\$1","Plans"/)
  t.match(plan, /parquet\(y\.parquet\)/)

  const analyzed = await explained('explain-analyze-query', { sql })
  t.match(analyzed, /filter=id >= Int32\(9090\)/)
  t.match(analyzed, /"Name":"\$1","Value":"Int32\(9090\)"/)
  t.match(
    analyzed,
    /"units_read":1,"units_pruned":5,/,
    'one row group is read: statistics tell the greatest value',
  )
  t.match(analyzed, /"files":2,/)

  const printed = await service.rows({ sql: `EXPLAIN ${sql}` })
  t.match(String(printed.toArray()[0]?.['plan']), /Subquery \(Engine: core; Name: \$1/)
  t.notMatch(String(printed.toArray()[0]?.['plan']), /9090/, 'it is not run')

  const run = await service.query({ sql: `${sql} LIMIT 3` })
  await run.arrayBuffer()
  const id = run.headers.get('x-service-query-id')
  const metrics = await (await fetch(`${service.url}/api/query/metrics/${id}`)).text()
  t.match(metrics, /x\.parquet/)
  t.match(metrics, /y\.parquet/, 'metrics have the files of subqueries')
})

t.test('what is not certain is run by DuckDB, which says what is wrong', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  writeParquetFile(join(service.datasets, 'x.parquet'), numberedRows(20), 20)
  const explained = async (sql: string): Promise<string> =>
    JSON.stringify(await (await post(`${service.url}/api/explain-query`, { sql })).json())
  const textOf = async (sql: string): Promise<string> => (await service.query({ sql })).text()
  const [inBoth, inDuckDB] = [
    `SELECT id FROM ${X} WHERE id > (SELECT id FROM ${X})`,
    `WITH unused AS (SELECT 1) SELECT id FROM ${X} WHERE id > (SELECT id FROM ${X})`,
  ]
  t.match(await textOf(inBoth), /More than one row returned by a subquery/)
  t.equal(await textOf(inBoth), await textOf(inDuckDB))
  t.match(
    await textOf(`SELECT id FROM ${X} WHERE id > (SELECT id, name FROM ${X})`),
    /Subquery returns 2 columns/,
  )
  for (const [sql, reason] of [
    [
      `SELECT id FROM ${X} AS o WHERE noise > (SELECT avg(noise) FROM ${X} AS i WHERE i.name = o.name)`,
      'the name \\\\"o\\\\" before a dot',
    ],
    [`SELECT id FROM ${X} WHERE id > (SELECT mode(id) FROM ${X})`, 'the function mode'],
    [`SELECT id FROM ${X} WHERE id IN (SELECT max(id) FROM ${X})`, 'SELECT'],
    [`SELECT id FROM ${X} WHERE EXISTS (SELECT 1 FROM ${X})`, 'EXISTS'],
    [`SELECT id, (SELECT sum(id) FROM ${X}) * 2 AS n FROM ${X}`, 'of a sum of integers'],
    [
      `SELECT id, round(noise, (SELECT 1 FROM ${X} LIMIT 1)) AS n FROM ${X}`,
      'a subquery as an argument of round',
    ],
  ] as const) {
    t.match(await explained(sql), new RegExp(`"Reason":"[^"]*${reason}`), sql)
    t.equal((await service.query({ sql })).status, 200, sql)
  }
  const failing = `SELECT id FROM ${X} WHERE id < (SELECT max((id + 2147483640)::INTEGER) FROM ${X})`
  t.match(await textOf(failing), /(?:Overflow|Conversion Error)/, 'a subquery that fails')
})

t.test('an answer is kept, and has its tag, as long as the files of subqueries are the same', async (t) => {
  const service = await startAskedService(t)
  writeParquetFile(service.at('x.parquet'), numberedRows(100), 100)
  const bound = (value: number): void => {
    writeParquetFile(service.at('y.new'), new Table(tableFromArrays({ id: Int32Array.of(value) }).batches), 1)
    renameSync(service.at('y.new'), service.at('y.parquet'))
  }
  const query = {
    sql: `SELECT id FROM ${X} WHERE id >= (SELECT max(id) FROM ${Y}) ORDER BY id`,
    output: { format: 'csv' },
  }
  const ask = async (): Promise<readonly [text: string, tag: string | null, run: string | null]> => {
    await service.settle()
    const response = await service.get(query)
    return [await response.text(), response.headers.get('etag'), response.headers.get('x-service-query-id')]
  }
  bound(97)
  const first = await ask()
  t.equal(first[0], 'id\n97\n98\n99\n')
  t.ok(first[1])
  t.same(await ask(), first, 'from the same run')
  bound(99)
  const second = await ask()
  t.equal(second[0], 'id\n99\n')
  t.not(second[1], first[1])
  t.not(second[2], first[2])
  rmSync(service.at('y.parquet'))
  t.match((await ask())[0], /no file|y\.parquet/)
})

t.test('a subquery may read what its caller may read', async (t) => {
  const service = await startEnforced(t, {
    'open/x.csv': 'n\n1\n2\n3\n',
    'shut/y.csv': 'n\n2\n',
  })
  await service.admin("CREATE VIEW shown AS SELECT n FROM read_csv('shut/y.csv')")
  const user = await service.user('reader', "GRANT SELECT ON PATH 'open/**'", 'GRANT SELECT ON TABLE shown')
  const outer = "SELECT count(*) AS c FROM read_csv('open/x.csv') WHERE n >= "
  const shut = await service.asked({ sql: `${outer}(SELECT max(n) FROM read_csv('shut/y.csv'))` }, user)
  t.equal(shut.status, 400)
  t.match(shut.text, /permission denied/)
  const hidden = await service.asked({ sql: `${outer}(SELECT max(n) FROM shown)` }, user)
  t.equal(hidden.status, 400)
  t.match(hidden.text, /permission denied: SELECT on table/)
  t.notMatch(hidden.text, /shut/)
  const paths = ["GRANT SELECT ON PATH 'open/**'", "GRANT SELECT ON PATH 'shut/**'"]
  const both = await service.user('viewer', ...paths, 'GRANT SELECT ON TABLE shown')
  const seen = await service.asked(
    { sql: `${outer}(SELECT max(n) FROM shown)`, output: { format: 'csv' } },
    both,
  )
  t.equal(seen.text, 'c\n2\n')
})

t.test('a client that leaves stops them', async (t) => {
  const { service, told } = await startWaiting(t, { SERVICE_MAX_QUERIES: '1' })
  const leaving = new AbortController()
  const sql = `SELECT (SELECT ${PRODUCT}) AS m, 1 AS n FROM ${X} LIMIT 1`
  const left = t.rejects(service.query({ sql }, { signal: leaving.signal }), { name: 'AbortError' })
  await told('waits')
  const statusOf = async (): Promise<number> => {
    const response = await service.query({ sql: 'SELECT 1 AS n' })
    await response.arrayBuffer()
    return response.status
  }
  t.equal(await statusOf(), 503, 'the only query that may be open')
  leaving.abort()
  await left
  await until('the query is over', async () => (await statusOf()) === 200)
})

t.test('a statement does not mix two versions of what a subquery reads', async (t) => {
  const { service, told, gate } = await startWaiting(t)
  const sql = `SELECT wait, (SELECT ${PRODUCT}) AS m FROM ${X} WHERE wait > (SELECT ${PRODUCT}) / 10 ORDER BY wait LIMIT 1`
  const asking = service.query({ sql, output: { format: 'csv' } })
  await told('waits')
  writeWaits(join(service.datasets, 'x.new'), 6144)
  renameSync(join(service.datasets, 'x.new'), join(service.datasets, 'x.parquet'))
  const tasks = new BroadcastChannel(TASKS)
  t.teardown(() => tasks.close())
  tasks.onmessage = () => gate.postMessage('go')
  gate.postMessage('go')
  const answer = await asking
  // 6138 is the last number below 6144 that leaves 6 when it is divided by 7.
  t.equal(await answer.text(), `wait,m\n${Math.floor((6138 * 6) / 10) + 1},${6138 * 6}\n`)
})

/** Statistics do not tell the greatest product. A worker waits when it reads the second row group for it. */
const PRODUCT = `max(wait * (wait % 7)) FROM ${X} WHERE wait >= 2048`

/** A service that waits while it runs a subquery, until it is told to go on. */
async function startWaiting(t: Test, settings: Readonly<Record<string, string>> = {}) {
  const gate = new BroadcastChannel(GATE)
  const told = toldOn(t, TASKS)
  const worker = new URL('../workers/worker-that-waits.ts', import.meta.url)
  const service = await startTestService(t, { workers: 2, worker, settings })
  t.teardown(() => {
    gate.postMessage('go')
    gate.close()
  })
  writeWaits(join(service.datasets, 'x.parquet'), 4096)
  return { service, told, gate }
}

function writeWaits(path: string, rows: number): void {
  const wait = Int32Array.from({ length: rows }, (_, row) => row)
  writeParquetFile(path, tableFromArrays({ wait }), 2048)
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
