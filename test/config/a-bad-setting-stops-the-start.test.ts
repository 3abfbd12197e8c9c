import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { readConfig } from '../../src/main/settings/config.ts'

const BAD: Readonly<Record<string, string>> = {
  SERVICE_PORT: '65536',
  SERVICE_WORKERS: '0',
  SERVICE_MAX_QUERIES: '1e3',
  SERVICE_UNIT_TIMEOUT_SECS: '-1',
  SERVICE_SHUTDOWN_SECS: '',
  SERVICE_ENABLE_SQL: 'yes',
  SERVICE_LOG_LEVEL: 'loud',
  SERVICE_NAME: 'Ocean!',
  SERVICE_BASE_PATH: '/a b',
  SERVICE_ADMIN_USERNAME: 'a:b',
  SERVICE_ADMIN_PASSWORD: '',
  SERVICE_CORS_ALLOWED_ORIGINS: 'https://a.example/path',
  SERVICE_CORS_ALLOWED_METHODS: 'GET POST',
  SERVICE_CORS_ALLOWED_HEADERS: 'x:y',
}

t.test('with a message that names the variable', async (t) => {
  for (const [variable, value] of Object.entries(BAD))
    t.throws(
      () => readConfig({ [variable]: value }),
      { name: 'SettingError', message: new RegExp(`^${variable} must be `) },
      variable,
    )
})

t.test('the name is none that DuckDB has for a database or a schema', async (t) => {
  for (const name of ['information_schema', 'main', 'memory', 'pg_catalog', 'public', 'system', 'temp'])
    t.throws(() => readConfig({ SERVICE_NAME: name }), { message: /^SERVICE_NAME must be / }, name)
  for (const name of ['service', 'systems', 'select', 'pg'])
    t.equal(readConfig({ SERVICE_NAME: name }).config.name, name)
})

t.test('booleans are true or false and nothing else', async (t) => {
  for (const value of ['TRUE', '1', 'on', '', ' true'])
    t.throws(() => readConfig({ SERVICE_ENABLE_SQL: value }))
  t.equal(readConfig({ SERVICE_ENABLE_SQL: 'false' }).config.enableSql, false)
})

t.test('cookies need named origins', async (t) => {
  t.throws(() => readConfig({ SERVICE_CORS_ALLOWED_CREDENTIALS: 'true' }), {
    message: /SERVICE_CORS_ALLOWED_ORIGINS/,
  })
})

t.test('tokens need an issuer and the address of its keys', async (t) => {
  const right = {
    SERVICE_OIDC_ENABLED: 'true',
    SERVICE_OIDC_ISSUER: 'https://id.example.org/realms/ocean',
    SERVICE_OIDC_JWKS_URL: 'https://id.example.org/certs',
  }
  t.equal(readConfig(right).config.oidcEnabled, true)
  t.throws(() => readConfig({ SERVICE_OIDC_ENABLED: 'true' }), {
    message: 'SERVICE_OIDC_ENABLED=true needs SERVICE_OIDC_ISSUER and SERVICE_OIDC_JWKS_URL.',
  })
  t.throws(() => readConfig({ ...right, SERVICE_OIDC_ISSUER: '' }), { message: /SERVICE_OIDC_ISSUER/ })
  for (const url of ['', 'id.example.org/certs', 'file:///certs', 'ftp://id.example.org/certs', '/certs'])
    t.throws(
      () => readConfig({ ...right, SERVICE_OIDC_JWKS_URL: url }),
      { message: /SERVICE_OIDC_JWKS_URL/ },
      url,
    )
  t.throws(() => readConfig({ ...right, SERVICE_OIDC_JWKS_URL: 'https://me:pass@id.example.org/certs' }), {
    message: 'SERVICE_OIDC_JWKS_URL must not have a user or a password.',
  })
})

t.test('a password is not in a message', async (t) => {
  t.throws(() => readConfig({ SERVICE_ADMIN_PASSWORD: '' }), {
    message: 'SERVICE_ADMIN_PASSWORD must be text.',
  })
})

t.test('the process says it on standard error and ends with 1', async (t) => {
  const start = join(import.meta.dirname, '../../src/main/start.ts')
  const run = promisify(execFile)(process.execPath, [start], { env: { SERVICE_PORT: 'many' } })
  await t.rejects(run, {
    code: 1,
    stderr: /^SERVICE_PORT must be a whole number from 0 to 65535, not "many"\.\n$/,
    stdout: '',
  })
})
