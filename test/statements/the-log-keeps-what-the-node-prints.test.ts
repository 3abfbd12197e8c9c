import { pino } from 'pino'
import t from 'tap'
import { createFigures } from '../../src/main/history/figures.ts'
import { MAX_CHARACTERS, metricsJson, type QueryMetrics } from '../../src/main/history/query-metrics.ts'
import { commandMetrics } from '../../src/main/statements/begun-statement.ts'
import { createStatementService } from '../../src/main/statements/statement-service.ts'
import { isServiceError } from '../../src/plan/errors.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { CATALOG } from '../catalog/no-lookups.ts'
import { QUERY_ID } from '../http/test-server.ts'
import { ACCOUNTS, SUPER_CALLER } from '../support/callers.ts'
import { CRAWLING } from '../support/no-crawlers.ts'

/** Runs a statement that fails, and returns what the log has of it. */
async function loggedOf(sql: string): Promise<Record<string, unknown>> {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const fail = () => Promise.reject(new Error())
  const looking = { schema: fail, columnsOf: fail, answerColumns: fail, functions: fail, readableOf: fail }
  const queries = { run: fail, ...looking }
  const recorded: QueryMetrics[] = []
  const metrics = { record: async (record: QueryMetrics) => void recorded.push(record) }
  const service = createStatementService({
    ...ACCOUNTS,
    ...CRAWLING,
    catalog: CATALOG,
    formats: FORMATS,
    queries,
    metrics,
    log,
  })
  const json = { sql }
  const request = { kind: 'sql', sql, output: null } as const
  const { signal } = new AbortController()
  await service.run({ request, json, caching: true }, SUPER_CALLER, signal).then(
    () => t.fail('it did not fail'),
    (error: unknown) => t.ok(isServiceError(error), String(error)),
  )
  t.equal(lines.length, 1)
  t.same(recorded, [], 'only what has ended well has metrics, as with queries')
  return lines[0] ?? {}
}

t.test('not what was sent', async (t) => {
  t.match(await loggedOf('/* hunter2 */ drop  view "Missing" -- hunter2'), {
    user: 'service-admin',
    userSource: 'configuration',
    outcome: 'failed',
    statement: 'DROP TABLE Missing',
    msg: 'query',
  })
  const line = await loggedOf(
    `create external table t stored as nothing location 'a' options (host 'h', password 'hunter2')`,
  )
  t.match(line, {
    statement:
      "CREATE EXTERNAL TABLE t STORED AS NOTHING LOCATION 'a' OPTIONS ('host' 'h', 'password' '***')",
  })
  t.notMatch(JSON.stringify(line), 'hunter2')
})

t.test('and no more than its beginning if it is long', async (t) => {
  const { statement } = await loggedOf(`DROP TABLE ${'x'.repeat(100_000)}`)
  t.ok(String(statement).startsWith('DROP TABLE xxx'))
  t.ok(String(statement).length < 20_000)
  const record = commandMetrics(QUERY_ID, SUPER_CALLER, `DROP TABLE ${'x'.repeat(100_000)}`, createFigures())
  t.ok(record.query.length < MAX_CHARACTERS)
  const { query } = JSON.parse(metricsJson(record))
  t.match(query, { sql: /^DROP TABLE x+…$/, output: null })
})
