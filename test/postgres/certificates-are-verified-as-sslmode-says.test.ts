import t from 'tap'
import { startAccountService } from '../accounts/asked-accounts.ts'
import { certificateFor, trust } from '../support/certificates.ts'
import { PASSWORD, PATIENT, skipWithoutPostgres, startPostgres } from './server.ts'

t.test('of a server that has TLS', { skip: skipWithoutPostgres() }, async (t) => {
  const right = certificateFor(t, 'localhost')
  const other = certificateFor(t, 'db.example.org')
  const there = await startPostgres(t, [], right)
  await there.run('CREATE VIEW secure AS SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
  const here = await startAccountService(t, PATIENT)
  const attach = (host: string, more: string): Promise<string | null> =>
    here.state(
      `ATTACH 'postgres://${host}:${there.port}/sea' AS sea WITH ('user' 'owner', 'password' '${PASSWORD}'${more})`,
    )
  const isSecure = async (): Promise<unknown> =>
    here.lines('SELECT ssl FROM sea.secure', { authorization: `Basic ${btoa('root:root-password')}` })
  const mode = (name: string): string => `, 'sslmode' '${name}'`
  const untrusted = /has a certificate that is not trusted/

  t.equal(await attach('localhost', mode('require')), null, 'whoever answers')
  t.same(await isSecure(), ['ssl', 'true'])
  t.equal(await attach('localhost', mode('disable')), null)
  t.same(await isSecure(), ['ssl', 'false'])
  t.match(await attach('localhost', mode('verify-ca')), untrusted)
  t.match(await attach('localhost', mode('verify-full')), untrusted)

  trust(t, right.certificate)
  for (const name of ['require', 'verify-ca', 'verify-full']) {
    t.equal(await attach('localhost', mode(name)), null, name)
    t.same(await isSecure(), ['ssl', 'true'], name)
  }
  t.equal(await attach('localhost', ''), null)
  t.same(await isSecure(), ['ssl', 'false'], 'on this machine it is asked in clear')
  t.match(await attach('127.0.0.1', mode('verify-full')), untrusted, 'the certificate has another name')
  t.equal(await attach('127.0.0.1', mode('verify-ca')), null)
  t.same(await isSecure(), ['ssl', 'true'])

  await there.present(other)
  t.match(await attach('localhost', mode('verify-ca')), untrusted, 'another authority')
  trust(t, other.certificate)
  t.match(await attach('localhost', mode('verify-full')), untrusted, 'another name')
  t.equal(await attach('localhost', mode('verify-ca')), null)
  t.same(await isSecure(), ['ssl', 'true'])
})

t.test('a server without TLS is not asked in clear instead', { skip: skipWithoutPostgres() }, async (t) => {
  const there = await startPostgres(t)
  const here = await startAccountService(t, PATIENT)
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    t.match(
      await here.state(
        `ATTACH 'postgres://localhost:${there.port}/sea' AS sea WITH ('user' 'owner', 'password' '${PASSWORD}', 'sslmode' '${mode}')`,
      ),
      /offers no TLS/,
      mode,
    )
})

t.test('passwords that others could read go over TLS alone', { skip: skipWithoutPostgres() }, async (t) => {
  const there = await startPostgres(t, [], certificateFor(t, 'localhost'))
  await there.authenticate('password')
  const here = await startAccountService(t, PATIENT)
  const attach = (mode: string): Promise<string | null> =>
    here.state(
      `ATTACH 'postgres://localhost:${there.port}/sea' AS sea WITH ('user' 'owner', 'password' '${PASSWORD}', 'sslmode' '${mode}')`,
    )
  t.match(await attach('disable'), /asks for the password in a form that others could read/)
  t.equal(await attach('require'), null)
})
