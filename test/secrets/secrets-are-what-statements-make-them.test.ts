import t from 'tap'
import { ADMIN, startAccountService } from '../accounts/asked-accounts.ts'
import { keyFor } from './keys.ts'

const HEADER = 'name,type,scope,option_keys,persistent'

t.test('a name is one secret, which each CREATE replaces', async (t) => {
  const settings = { SERVICE_SECRETS_KEY: keyFor('a'), SERVICE_NAME: 'ocean' }
  const { state, lines, close, dataDir } = await startAccountService(t, { settings })
  const listed = () => lines('SHOW SECRETS', ADMIN)
  t.same(await listed(), [HEADER])
  t.equal(await state(`CREATE SECRET a (TYPE ocean, USER 'u', PASS 'p', SCOPE 'https://x/')`), null)
  t.equal(await state(`CREATE PERSISTENT SECRET "A b" (TOKEN 't', TYPE Service)`), null)
  t.equal(await state(`create temporary secret c (type gs, key_id 'k', Secret 's')`), null)
  t.same(await listed(), [
    HEADER,
    'A b,ocean,,token,true',
    'a,ocean,https://x/,"username,password",false',
    'c,gcs,,"key_id,secret",false',
  ])
  t.equal(await state(`CREATE SECRET IF NOT EXISTS a (TYPE S3, REGION 'r')`), null)
  t.equal(await state(`CREATE OR REPLACE PERSISTENT SECRET c (TYPE postgresql, port 5432, dbname 'd')`), null)
  t.equal(await state(`CREATE SECRET "A b" (TYPE MARIADB, USERNAME 'u')`), null)
  const after = [
    'A b,mysql,,user,false',
    'a,ocean,https://x/,"username,password",false',
    'c,postgres,,"port,database",true',
  ]
  t.same(await listed(), [HEADER, ...after])
  t.match(await state('DROP SECRET b'), /^There is no secret "b"/)
  t.match(await state('DROP SECRET "a"; DROP SECRET c'), /expected the end of the statement/)
  t.equal(await state('DROP SECRET IF EXISTS b'), null)
  t.equal(await state('DROP SECRET a'), null)
  await close()
  const again = await startAccountService(t, { settings, dataDir })
  t.same(await again.lines('SHOW SECRETS', ADMIN), [HEADER, after[2]], 'stored ones outlive a restart')
  t.equal(await again.state('DROP SECRET c'), null)
  await again.close()
  const last = await startAccountService(t, { settings, dataDir })
  t.same(await last.lines('SHOW SECRETS', ADMIN), [HEADER])
})

t.test('what is wrong is a 400 that says why, and changes nothing', async (t) => {
  const { state, lines } = await startAccountService(t)
  for (const [sql, message] of [
    [
      `CREATE SECRET a (TYPE nothing, TOKEN 't')`,
      /^TYPE is SERVICE, POSTGRES, MYSQL, S3, GCS, AZURE or HTTP\.$/,
    ],
    [`CREATE SECRET a (TOKEN 't')`, /column 27: TYPE is missing/],
    [`CREATE SECRET a (TYPE service)`, /^A secret has 1 to 64 values/],
    [`CREATE SECRET a (TYPE S3${Array.from({ length: 65 }, (_, at) => `, K${at} 'v'`).join('')})`, /1 to 64/],
    [
      `CREATE SECRET a (TYPE service, KEY_ID 't')`,
      /^A key .* is USERNAME, PASSWORD or TOKEN; this one has another/,
    ],
    [`CREATE SECRET a (TYPE service, TOKEN 't', USERNAME 'u')`, /^A secret of this type has TOKEN alone/],
    [`CREATE SECRET a (TYPE service, USERNAME 'u')`, /TOKEN alone, or USERNAME and PASSWORD/],
    [`CREATE SECRET a (TYPE service, USERNAME 'u', USER 'u', PASSWORD 'p')`, /^A key is given twice/],
    [`CREATE SECRET a (TYPE service, TOKEN 't', token 't')`, /column 43: a key is given twice/],
    [`CREATE SECRET a (TYPE service, TYPE S3, TOKEN 't')`, /column 32: a key is given twice/],
    [`CREATE SECRET a (TYPE service, TOKEN '')`, /^A value is not empty/],
    [`CREATE SECRET a (TYPE service, TOKEN '***')`, /^A value is not '\*\*\*'/],
    [`CREATE SECRET a (TYPE service, TOKEN '${'x'.repeat(65_537)}')`, /^A value has at most 65536 bytes/],
    [`CREATE SECRET "${'x'.repeat(256)}" (TYPE service, TOKEN 't')`, /^The name of a secret has at most 255/],
    [
      `CREATE SECRET a (TYPE service, TOKEN 't', SCOPE 'x://u:p@h')`,
      /column 43: a scope has no user, no password/,
    ],
    [`CREATE SECRET a (TYPE service, TOKEN 't', SCOPE 'x://h?token=p')`, /no query/],
    [`CREATE SECRET a (TYPE service, TOKEN 't', SCOPE '')`, /^The scope of a secret is not empty/],
    [`CREATE SECRET a (TYPE service, TOKEN 'a b')`, /^A token has no blanks/],
    [`CREATE SECRET a (TYPE service, USERNAME 'a:b', PASSWORD 'p')`, /^A user name has no colon/],
    [`CREATE SECRET a (TYPE service, USERNAME 'a', PASSWORD 'p\r\nx')`, /control characters/],
    [`CREATE SECRET a (TYPE postgres, PORT '0')`, /^PORT is a whole number from 1 to 65535/],
    [`CREATE SECRET a (TYPE postgres, PORT 65536)`, /^PORT is/],
    [
      `CREATE OR REPLACE SECRET IF NOT EXISTS a (TYPE S3, A 'b')`,
      /column 26: a statement has OR REPLACE or IF/,
    ],
    [
      `CREATE PERSISTENT SECRET a (TYPE service, TOKEN 't')`,
      /SERVICE_SECRETS_KEY, the key for that, is not set/,
    ],
    [`CREATE SECRET a (TYPE service, TOKEN hunter2)`, /expected a value in single quotes or a number$/],
  ] as const)
    t.match(await state(sql), message, sql.slice(0, 80))
  t.same(await lines('SHOW SECRETS', ADMIN), [HEADER])
})

t.test('others learn nothing, whatever they send', async (t) => {
  const { lines, state, url } = await startAccountService(t)
  t.equal(await state(`CREATE SECRET a (TYPE service, TOKEN 't')`), null)
  for (const sql of [
    'SHOW SECRETS',
    'DROP SECRET a',
    'DROP SECRET b',
    'CREATE SECRET a (',
    'CREATE TEMPORARY SECRET',
  ])
    t.match(await lines(sql), /^Only the super-user may run this statement/, sql)
  const call = { name: 'run_sql', arguments: { sql: 'SHOW SECRETS' } }
  const asked = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...ADMIN,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  })
  t.match(await asked.text(), /Nothing can be changed here/, 'by POST /api/query alone')
})
