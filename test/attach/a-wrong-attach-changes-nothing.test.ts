import t from 'tap'
import { startTwo } from './services.ts'

t.test('what is wrong with ATTACH is a 400 that says why, and attaches nothing', async (t) => {
  const { here, host } = await startTwo(t)
  const password = 'Plugh4711'
  t.equal(await here.state(`CREATE SECRET temporary (TYPE service, TOKEN '${password}')`), null)
  for (const [sql, message] of [
    [`ATTACH 'service://127.0.0.1:1' AS far`, /127\.0\.0\.1:1/],
    [`ATTACH 'grpc://${host}' AS far`, /HTTP/],
    [`ATTACH 'ftp://${host}' AS far`, /ftp/],
    [`ATTACH 'mysql://${host}/db' AS far`, /which user of the database is meant/],
    [`ATTACH 'mariadb://${host}' AS far`, /write it as mysql:\/\/host:port\/database/],
    [`ATTACH 'mysql://u:${password}@${host}/db' AS far`, /no user, no password/],
    [`ATTACH 'postgres://${host}/db' AS far`, /which user of the database is meant/],
    [`ATTACH 'postgres://${host}' AS far`, /write it as postgres:\/\/host:port\/database/],
    [`ATTACH 'postgres://${host}/db' AS far WITH ('token' '${password}')`, /a database has users/],
    [`ATTACH 'postgres://${host}/db' AS far WITH ('user' 'a', 'sslmode' 'prefer')`, /"sslmode" is disable/],
    [`ATTACH 'service://${host}' AS far WITH ('sslmode' 'disable')`, /"sslmode" is for databases/],
    [`ATTACH 'http://u:${password}@${host}' AS far`, /no user, no password/],
    [`ATTACH 'http://${host}?token=${password}' AS far`, /no query/],
    [`ATTACH 'service://${host}' AS far WITH ('username' 'a')`, /needs a password/],
    [`ATTACH 'service://${host}' AS far WITH ('password' '${password}')`, /needs a username/],
    [`ATTACH 'service://${host}' AS far WITH ('token' '${password}', 'user' 'a')`, /not both/],
    [`ATTACH 'service://${host}' AS far WITH ('token' '${password}', 'secret' 'a')`, /not both/],
    [`ATTACH 'service://${host}' AS far WITH ('secret' 'a')`, /^There is no secret "a"/],
    [`ATTACH 'service://${host}' AS far WITH ('token' '***')`, /write the value/],
    [`ATTACH 'service://${host}' AS far WITH ('tls' 'maybe')`, /"tls" is true or false/],
    [`ATTACH 'service://${host}' AS far WITH ('nope' '${password}')`, /this one has another/],
    [`ATTACH 'service://${host}' AS far WITH ('username' 'x', 'password' '${password}')`, /has answered 401/],
    [
      `ATTACH 'service://${host}' AS far WITH ('persistent' 'true', 'token' '${password}')`,
      /CREATE PERSISTENT SECRET with the login/,
    ],
    [
      `ATTACH 'service://${host}' AS far WITH ('persistent' 'true', 'secret' 'temporary')`,
      /The secret ends with the process/,
    ],
    [`ATTACH 'service://${host}' AS far WITH ('persistent' 'true', 'secret' 'a')`, /^There is no secret "a"/],
    [`ATTACH 'service://127.0.0.1:1' AS far WITH ('persistent' 'true')`, /127\.0\.0\.1:1/],
    [`ATTACH 'service://${host}' AS service`, /own catalog/],
    [`ATTACH 'service://${host}' AS "public"`, /reserved/],
    [`ATTACH 'service://${host}' AS temp`, /reserved/],
    [`ATTACH 'service://${host}' AS "a b"`, /a word/],
    [`ATTACH 'service://${host}'`, /expected AS/],
    [`ATTACH "service://${host}" AS far`, /an address in single quotes/],
  ] as const) {
    const told = String(await here.state(sql))
    t.match(told, message, sql)
    t.notMatch(told, password)
  }
  t.match(await here.state('DETACH far'), /^No catalog "far" is attached/)
})
