import { pino } from 'pino'
import t, { type Test } from 'tap'
import { basic } from '../http/test-server.ts'
import { type AccountService, ADMIN, startAccountService } from './asked-accounts.ts'
import { filesWith, sentEverywhere } from './sent-everywhere.ts'

const MARKER = 'Plugh4711'

/** Statements that are one, with the marker as the password. */
const RIGHT = [
  `CREATE USER u1 WITH PASSWORD '${MARKER}'`,
  `create user u2 with password '${MARKER}';`,
  `/* a /* nested */ comment */ CREATE -- b\n USER u3 WITH\n\tPASSWORD '${MARKER}' -- end`,
  `CREATE USER "u 4" WITH PASSWORD 'it''s ${MARKER}'`,
]

/** What is meant as such a statement, or has one in it. None of it is run. */
const WRONG = [
  ...[MARKER, `"${MARKER}"`, `\`${MARKER}\``, `$$${MARKER}$$`, `$${MARKER}$x`, `E'${MARKER}'`, `“${MARKER}”`],
  ...[`'${MARKER}`, `'${MARKER}' x`, `'a' '${MARKER}'`, `'${MARKER}' ${MARKER}`, `'a', '${MARKER}'`],
  ...[`U&'${MARKER}'`, `'a'; SELECT '${MARKER}'`, `?${MARKER}`, `1${MARKER}`, `'a' /* ${MARKER}`],
].map((password) => `CREATE USER bob WITH PASSWORD ${password}`)
const OTHERS = [
  `CREATE USER bob WITH '${MARKER}'`,
  `CREATE USER bob PASSWORD '${MARKER}'`,
  `CREATE USER bob IDENTIFIED BY '${MARKER}'`,
  `CREATE USER '${MARKER}' WITH PASSWORD 'a'`,
  `CREATE USER ${MARKER}.${MARKER} WITH PASSWORD 'a'`,
  `CREATE USER bob WITH PASSWORT '${MARKER}'`,
  `CREATE OR REPLACE USER bob WITH PASSWORD '${MARKER}'`,
  `CREATE USER IF NOT EXISTS bob WITH PASSWORD '${MARKER}'`,
  `CREATE OR USER bob WITH PASSWORD '${MARKER}'`,
  `CREATE ROLE bob WITH PASSWORD '${MARKER}'`,
  `CREATE bob WITH PASSWORD '${MARKER}'`,
  `CREAT USER bob WITH PASSWORD "${MARKER}"`,
  `USER bob WITH PASSWORD '${MARKER}'`,
  `ALTER USER bob WITH PASSWORD '${MARKER}'`,
  `ALTER USER bob SET PASSWORD = '${MARKER}'`,
  `SELECT 1; CREATE USER bob WITH PASSWORD '${MARKER}'`,
  `SELECT 1; CREATE USER bob WITH PASSWORD \`${MARKER}\``,
  `; CREATE USER bob WITH PASSWORD '${MARKER}'`,
  `EXPLAIN CREATE USER bob WITH PASSWORD '${MARKER}'`,
  `EXPLAIN ANALYZE CREATE USER bob WITH PASSWORD "${MARKER}"`,
  `DESCRIBE CREATE USER bob WITH PASSWORD '${MARKER}'`,
  `SUMMARIZE (CREATE USER bob WITH PASSWORD "${MARKER}")`,
  `CREATE VIEW v AS (CREATE USER bob WITH PASSWORD "${MARKER}")`,
  `CREATE VIEW v AS CREATE USER bob WITH PASSWORD "${MARKER}"`,
  `WITH a AS (CREATE USER bob WITH PASSWORD "${MARKER}") FROM a`,
  `SELECT * FROM (CREATE USER bob WITH PASSWORD "${MARKER}")`,
  `FROM CREATE USER bob WITH PASSWORD "${MARKER}"`,
  `CREATE USER root WITH PASSWORD '${MARKER}'`,
  `CREATE USER anonymous WITH PASSWORD '${MARKER}'`,
  `CREATE USER "bob:x" WITH PASSWORD '${MARKER}'`,
  `CREATE USER "${'x'.repeat(300)}" WITH PASSWORD '${MARKER}'`,
  `CREATE USER bob WITH PASSWORD '${MARKER.repeat(500)}'`,
  `CREATE USER bob WITH PASSWORD '${MARKER}\ud800'`,
]

const json = (value: unknown): string => JSON.stringify(value)

/** Bodies of a request that are no JSON, or not the right JSON, with such a statement in them. */
function brokenBodies(sql: string): readonly string[] {
  return [
    sql,
    `{"sql": ${sql}}`,
    `{"sql": "${sql}`,
    `{"sql": "${sql.replaceAll('"', '"')}" ${MARKER}}`,
    `{"sql": "${sql}", ${MARKER}: 1}`,
    json(sql),
    json([sql]),
    json({ [sql]: 1 }),
    json({ sql, [MARKER]: 1 }),
    json({ sql, output: { format: MARKER } }),
    json({ sql, output: { format: 'csv' } }),
    json({ SQL: sql }),
    json({ query: sql }),
    json({ sql: [sql] }),
    json({ from: sql }),
    json({ select: [sql] }),
    json({ sql }).replaceAll('U', '\\u0055').replace('}', `, "a": ${MARKER}}`),
  ]
}

interface Watched extends AccountService {
  /** All that was logged so far. */
  logged(): string
}

async function startWatched(t: Test): Promise<Watched> {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const service = await startAccountService(t, {
    log,
  })
  return { ...service, logged: () => lines.join('') }
}

t.test('not where it is right', async (t) => {
  const service = await startWatched(t)
  for (const sql of RIGHT) {
    const response = await service.query(
      { sql },
      { headers: { 'content-type': 'application/json', ...ADMIN } },
    )
    t.equal(response.status, 200, sql)
    const id = response.headers.get('x-service-query-id')
    t.notMatch(json([...response.headers]) + (await response.text()), MARKER)
    const metrics = await fetch(`${service.url}/api/query/metrics/${id}`, { headers: ADMIN })
    const text = await metrics.text()
    t.equal(metrics.status, 200)
    t.match(text, /CREATE USER (u\d|\\+"u 4\\+") WITH PASSWORD '\*\*\*'/)
    t.notMatch(text, MARKER)
  }
  const listed = await service.lines('SELECT * FROM service.system.query_metrics', ADMIN)
  t.match(json(listed), /CREATE USER u1 WITH PASSWORD/)
  t.notMatch(json(listed), MARKER)
  t.same(await service.lines('SELECT 1 AS n', { authorization: basic('u1', MARKER) }), ['n', '1'])
  t.same(await service.lines('SELECT 1 AS n', { authorization: basic('u 4', `it's ${MARKER}`) }), ['n', '1'])
  t.match(service.logged(), "CREATE USER u1 WITH PASSWORD '***'")
  t.notMatch(service.logged(), MARKER)
  t.same(filesWith(service.dataDir, MARKER), [], 'no file of the running service has it')
  await service.close()
  t.same(filesWith(service.dataDir, MARKER), [])
})

t.test('not where it is wrong', async (t) => {
  const service = await startWatched(t)
  const bodies = [...WRONG, ...OTHERS].map((sql) => json({ sql }))
  const broken = [RIGHT[0] ?? '', `/* */ create\n\tuser bob with password "${MARKER}"`].flatMap(brokenBodies)
  for (const body of [...bodies, ...broken]) {
    const answers = await sentEverywhere(service, body)
    const shown = answers.filter((answer) => answer.includes(MARKER))
    t.same(shown, [], body.slice(0, 200))
  }
  const logged = service
    .logged()
    .split('\n')
    .filter((line) => line.includes(MARKER))
  t.same(logged, [])
  const users = await service.users()
  t.same(
    users.map(({ username }) => username).filter((name) => name !== 'u1'),
    ['root', 'anonymous'],
    'none is made by a mistake',
  )
  t.same(filesWith(service.dataDir, MARKER), [])
  await service.close()
  t.same(filesWith(service.dataDir, MARKER), [])
})
