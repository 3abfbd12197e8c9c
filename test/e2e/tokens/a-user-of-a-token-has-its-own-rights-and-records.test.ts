import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { basic, SUPER_USER } from '../../http/test-server.ts'
import { untilSettled } from '../../support/settled.ts'
import { startIssuer } from '../../support/token-issuer.ts'
import { until } from '../../support/until.ts'
import { startTestService } from '../service.ts'

const QUERY = { sql: 'SELECT n FROM obs', output: { format: 'csv' } }

const REFUSED = JSON.stringify('permission denied: SELECT on table "obs", or there is no such table')

async function start(t: Test) {
  const issuer = await startIssuer()
  t.teardown(() => issuer.close())
  const service = await startTestService(t, {
    settings: { ...issuer.settings, SERVICE_AUTH_ENFORCE: 'true' },
  })
  writeFileSync(join(service.datasets, 'obs.csv'), 'n\n1\n2\n')
  await untilSettled(service.datasets)
  const ask = (body: object, authorization: string) =>
    service.query(body, { headers: { 'content-type': 'application/json', authorization } })
  const command = async (sql: string): Promise<void> => {
    const answer = await ask({ sql }, SUPER_USER.authorization)
    if (answer.status !== 200) throw new Error(`${sql}: ${await answer.text()}`)
  }
  for (const sql of [
    `CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'`,
    `CREATE USER ann WITH PASSWORD 'secret'`,
    'CREATE ROLE reader',
    'GRANT SELECT ON TABLE obs TO ROLE reader',
    'GRANT ROLE reader TO USER ann',
  ])
    await command(sql)
  return {
    url: service.url,
    ask,
    /** Asks by a URL, as somebody who may have the answer already. */
    get: (authorization: string, tag = '') =>
      fetch(`${service.url}/api/query?q=${encodeURIComponent(JSON.stringify(QUERY))}`, {
        headers: { authorization, ...(tag !== '' && { 'if-none-match': tag }) },
      }),
    command,
    local: basic('ann', 'secret'),
    /** The header of `ann` with a token that names these roles. */
    bearer: async (...roles: readonly string[]) =>
      `Bearer ${await issuer.token({ realm_access: { roles } })}`,
  }
}

t.test('the roles of its token, and not those of a local user of its name', async (t) => {
  const { ask, local, bearer } = await start(t)
  const [reader, none] = [await bearer('reader'), await bearer('ann', 'unknown')]
  for (const time of ['computed', 'kept']) {
    for (const header of [local, reader]) {
      const answer = await ask(QUERY, header)
      t.equal(answer.status, 200, time)
      t.equal(await answer.text(), 'n\n1\n2\n')
    }
    const refused = await ask(QUERY, none)
    t.equal(refused.status, 400, time)
    t.equal(await refused.text(), REFUSED)
  }
})

t.test('what its roles allow now: neither an answer that is kept nor a tag outlives a rule', async (t) => {
  const { ask, get, command, bearer } = await start(t)
  const header = await bearer('reader')
  const first = await get(header)
  const tag = first.headers.get('etag') ?? ''
  t.equal(await first.text(), 'n\n1\n2\n')
  t.equal((await get(header, tag)).status, 304)
  await command('REVOKE SELECT ON TABLE obs FROM ROLE reader')
  for (const refused of [await get(header, tag), await get(header), await ask(QUERY, header)]) {
    t.equal(refused.status, 400)
    t.equal(await refused.text(), REFUSED)
  }
  await command('GRANT SELECT ON ALL TO ROLE reader')
  t.equal((await ask(QUERY, header)).status, 200)
  await command('DENY SELECT ON TABLE obs TO ROLE reader')
  t.equal((await ask(QUERY, header)).status, 400)
  await command('DROP ROLE reader')
  await command('CREATE ROLE reader')
  t.equal((await ask(QUERY, header)).status, 400)
})

t.test('a tag of another user of its name is none of its own', async (t) => {
  const { get, local, bearer } = await start(t)
  const first = await get(local)
  await first.text()
  const tag = first.headers.get('etag') ?? ''
  t.equal((await get(local, tag)).status, 304)
  t.equal((await get(await bearer(), tag)).status, 400)
})

t.test('the metrics of its queries, which a local user of its name does not see', async (t) => {
  const { url, ask, local, bearer } = await start(t)
  const [token, otherToken] = [await bearer('reader'), await bearer()]
  const idOf = async (header: string): Promise<string> => {
    const answer = await ask(QUERY, header)
    await answer.text()
    return answer.headers.get('x-service-query-id') ?? ''
  }
  const status = async (id: string, authorization: string): Promise<number> => {
    const answer = await fetch(`${url}/api/query/metrics/${id}`, { headers: { authorization } })
    await answer.text()
    return answer.status
  }
  const ids = [await idOf(local), await idOf(token)] as const
  for (const id of ids)
    await until('the metrics are there', async () => (await status(id, SUPER_USER.authorization)) === 200)
  const [ofLocal, ofToken] = ids
  t.equal(await status(ofLocal, local), 200)
  t.equal(await status(ofToken, token), 200)
  t.equal(await status(ofToken, otherToken), 200, 'it is the same user')
  t.equal(await status(ofLocal, token), 404)
  t.equal(await status(ofToken, local), 404)
  t.equal(await status(ofToken, basic('ann', 'wrong')), 401)
})
