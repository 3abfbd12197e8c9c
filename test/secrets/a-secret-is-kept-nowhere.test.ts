import { pino } from 'pino'
import t, { type Test } from 'tap'
import { type AccountService, ADMIN, startAccountService } from '../accounts/asked-accounts.ts'
import { filesWith, sentEverywhere } from '../accounts/sent-everywhere.ts'
import { keyFor } from './keys.ts'

const MARKER = 'Plugh4711'
const KEY = keyFor('a')
const json = (value: unknown): string => JSON.stringify(value)

/** Statements that are one, with the marker as a value. */
const RIGHT = [
  `CREATE SECRET s1 (TYPE service, TOKEN '${MARKER}')`,
  `create or replace persistent secret s2 (type S3, key_id '${MARKER}', secret 'it''s ${MARKER}', region '${MARKER}');`,
  `/* a */ CREATE -- b\n TEMPORARY SECRET s3\n(PASSWORD\t'${MARKER}', TYPE postgres, HOST '${MARKER}')`,
  `CREATE SECRET s5 (TYPE mysql, USER 'u', PASSWORD '${MARKER}', SSLMODE '${MARKER}')`,
  `CREATE PERSISTENT SECRET IF NOT EXISTS "s 4" (TYPE http, BEARER_TOKEN '${MARKER}')`,
]

/** What is meant as such a statement, or has one in it. None of it is run. */
const WRONG = [
  ...[MARKER, `"${MARKER}"`, `\`${MARKER}\``, `$$${MARKER}$$`, `$${MARKER}$x`, `E'${MARKER}'`, `“${MARKER}”`],
  ...[
    `'${MARKER}`,
    `'a' '${MARKER}'`,
    `'${MARKER}' ${MARKER}`,
    `?${MARKER}`,
    `1${MARKER}`,
    `'a' /* ${MARKER}`,
  ],
  ...[
    `= '${MARKER}'`,
    `'${MARKER}', TOKEN '${MARKER}'`,
    `'${MARKER}', PORT '${MARKER}'`,
    `'${MARKER}\ud800'`,
  ],
].map((value) => `CREATE SECRET bob (TYPE service, TOKEN ${value})`)
const OTHERS = [
  `CREATE SECRET bob (TYPE nothing, TOKEN '${MARKER}')`,
  `CREATE SECRET bob (TYPE '${MARKER}', TOKEN '${MARKER}')`,
  `CREATE SECRET bob (TYPE service, SCOPE 'https://u:${MARKER}@h/', TOKEN 't')`,
  `CREATE SECRET bob (TYPE service, SCOPE 'https://h/?t=${MARKER}', TOKEN 't')`,
  `CREATE SECRET bob (TYPE service, USERNAME '${MARKER}')`,
  `CREATE SECRET bob (TYPE postgres, PORT '${MARKER}')`,
  `CREATE SECRET bob (TYPE postgres, TOKEN '${MARKER}')`,
  `CREATE SECRET bob TYPE service, TOKEN '${MARKER}'`,
  `CREATE SECRET bob (TOKEN '${MARKER}')`,
  `CREATE SECRET bob (TYPE service, TOKEN '${MARKER}' , )`,
  `CREATE SECRET '${MARKER}' (TYPE service, TOKEN 't')`,
  `CREATE SECRET (TYPE service, TOKEN '${MARKER}')`,
  `CREATE SECRET bob (TYPE service, TOKEN '${MARKER.repeat(10_000)}')`,
  `CREATE PERSISTENT SECRT bob (TYPE S3, SECRET '${MARKER}')`,
  `CREATE SECERT bob (TYPE S3, SECRET '${MARKER}'`,
  `CREAT SECRET bob (TYPE S3, KEY_ID "${MARKER}")`,
  `SECRET bob (TYPE azure, ACCOUNT_KEY '${MARKER}')`,
  `ALTER SECRET bob (TYPE azure, ACCOUNT_KEY '${MARKER}')`,
  `ALTER SECRET bob SET TOKEN = '${MARKER}'`,
  `SELECT 1; CREATE SECRET bob (TYPE service, TOKEN '${MARKER}')`,
  `SELECT 1; CREATE SECRET bob (TYPE service, TOKEN \`${MARKER}\`)`,
  `; CREATE SECRET bob (TYPE service, TOKEN '${MARKER}')`,
  `EXPLAIN CREATE SECRET bob (TYPE service, TOKEN '${MARKER}')`,
  `EXPLAIN ANALYZE CREATE SECRET bob (TYPE service, TOKEN "${MARKER}")`,
  `DESCRIBE CREATE SECRET bob (TYPE service, TOKEN "${MARKER}")`,
  `SUMMARIZE (CREATE PERSISTENT SECRET bob (TYPE service, TOKEN "${MARKER}"))`,
  `CREATE VIEW v AS (CREATE SECRET bob (TYPE service, TOKEN "${MARKER}"))`,
  `CREATE VIEW v AS CREATE SECRET bob (TYPE service, TOKEN "${MARKER}")`,
  `WITH a AS (CREATE SECRET bob (TYPE service, TOKEN "${MARKER}")) FROM a`,
  `FROM CREATE SECRET bob (TYPE service, TOKEN "${MARKER}")`,
]

/** Bodies of a request that are no JSON, or not the right JSON, with such a statement in them. */
function brokenBodies(sql: string): readonly string[] {
  return [
    ...[
      sql,
      `{"sql": ${sql}}`,
      `{"sql": "${sql}`,
      `{"sql": "${sql}" ${MARKER}}`,
      `{"sql": "${sql}", ${MARKER}: 1}`,
    ],
    ...[json(sql), json([sql]), json({ [sql]: 1 }), json({ sql, [MARKER]: 1 }), json({ SQL: sql })],
    ...[
      json({ sql, output: { format: MARKER } }),
      json({ sql: [sql] }),
      json({ from: sql }),
      json({ select: [sql] }),
    ],
    json({ sql }).replaceAll('S', '\\u0053').replace('}', `, "a": ${MARKER}}`),
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
    settings: { SERVICE_SECRETS_KEY: KEY },
    log,
  })
  return { ...service, logged: () => lines.join('') }
}

t.test('not where it is right', async (t) => {
  const service = await startWatched(t)
  for (const sql of RIGHT) {
    const headers = { 'content-type': 'application/json', ...ADMIN }
    const response = await service.query({ sql }, { headers })
    t.equal(response.status, 200, sql)
    const id = response.headers.get('x-service-query-id')
    t.notMatch(json([...response.headers]) + (await response.text()), MARKER)
    const metrics = await fetch(`${service.url}/api/query/metrics/${id}`, { headers: ADMIN })
    const text = await metrics.text()
    t.equal(metrics.status, 200)
    t.match(text, /CREATE (TEMPORARY|PERSISTENT) SECRET .*'\*\*\*'/)
    t.notMatch(text, MARKER)
  }
  for (const sql of [
    'SELECT * FROM service.system.query_metrics',
    'SHOW SECRETS',
    'SELECT * FROM information_schema.df_settings',
  ]) {
    const listed = json(await service.lines(sql, ADMIN))
    t.notMatch(listed, MARKER, sql)
    t.notOk(listed.includes(KEY), sql)
  }
  t.match(json(await service.lines('SHOW SECRETS', ADMIN)), /s1.*s2.*s3/)
  const info = await fetch(`${service.url}/api/info`, { headers: ADMIN })
  t.notOk((await info.text()).includes(KEY))
  t.match(service.logged(), "CREATE TEMPORARY SECRET s1 (TYPE SERVICE, TOKEN '***')")
  t.notMatch(service.logged(), MARKER)
  for (const word of [MARKER, KEY, Buffer.from(MARKER).toString('base64').slice(0, 10)])
    t.same(filesWith(service.dataDir, word), [], 'no file of the running service has it')
  await service.close()
  for (const word of [MARKER, KEY]) t.same(filesWith(service.dataDir, word), [])
})

t.test('not where it is wrong', async (t) => {
  const service = await startWatched(t)
  const bodies = [...WRONG, ...OTHERS].map((sql) => json({ sql }))
  const broken = [RIGHT[0] ?? '', `/* */ create\n\tsecret bob (type S3, secret "${MARKER}")`].flatMap(
    brokenBodies,
  )
  for (const body of [...bodies, ...broken]) {
    const answers = await sentEverywhere(service, body)
    t.same(
      answers.filter((answer) => answer.includes(MARKER)),
      [],
      body.slice(0, 200),
    )
  }
  const logged = service.logged().split('\n')
  t.same(
    logged.filter((line) => line.includes(MARKER)),
    [],
  )
  t.notMatch(json(await service.lines('SHOW SECRETS', ADMIN)), 'bob', 'none is made by a mistake')
  t.same(filesWith(service.dataDir, MARKER), [])
  await service.close()
  t.same(filesWith(service.dataDir, MARKER), [])
})
