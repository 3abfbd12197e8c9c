import { join, resolve } from 'node:path'
import t from 'tap'
import { readConfig, shownSettings } from '../../src/main/settings/config.ts'
import { OTHER_VARIABLES } from '../../src/main/settings/other-variables.ts'
import { SETTINGS, variableOf } from '../../src/main/settings/settings.ts'

const variables = new Set(Object.keys(SETTINGS).map(variableOf))

t.test('without any, the documented defaults hold', async (t) => {
  const { config } = readConfig({})
  t.match(config, {
    host: '0.0.0.0',
    port: 5001,
    basePath: '',
    name: 'service',
    enableSql: true,
    defaultTable: 'default',
    adminUsername: 'service-admin',
    corsAllowedOrigins: ['*'],
    corsExposeHeaders: [
      'x-service-query-id',
      'x-service-notice',
      'ETag',
      'Content-Range',
      'Retry-After',
      'Mcp-Session-Id',
    ],
    dataDir: resolve('data'),
    datasetsDir: resolve('data/datasets'),
    tablesDir: resolve('data/tables'),
    tmpDir: resolve('data/tmp'),
    ownsDatasets: true,
    makesSample: true,
  })
  t.ok(config.workers >= 1)
})

t.test('folders follow the data folder unless they are named', async (t) => {
  const { config } = readConfig({ SERVICE_DATA_DIR: '/srv', SERVICE_DATASETS_DIR: 'mine' })
  t.equal(config.datasetsDir, resolve('mine'))
  t.equal(config.tablesDir, '/srv/tables')
  t.equal(config.tmpDir, '/srv/tmp')
  t.equal(config.ownsDatasets, false)
  t.equal(readConfig({ SERVICE_TABLES_DIR: '/fast' }).config.tablesDir, '/fast')
  t.equal(join('/srv', 'tables'), config.tablesDir)
})

t.test('a sample is made only where no folder is configured, and never in production', async (t) => {
  const makesSample = (env: Record<string, string>) => readConfig(env).config.makesSample
  t.equal(makesSample({ NODE_ENV: 'development' }), true)
  t.equal(makesSample({ NODE_ENV: 'production' }), false)
  t.equal(makesSample({ SERVICE_DATA_DIR: '/srv' }), false)
  t.equal(makesSample({ SERVICE_DATASETS_DIR: '/mnt' }), false)
})

t.test('the base path has one leading slash and none at its end', async (t) => {
  const paths = { '': '', '/': '', a: '/a', '/a/': '/a', '//a/b//': '/a/b', '/A-1_2.3~4': '/A-1_2.3~4' }
  for (const [given, expected] of Object.entries(paths))
    t.equal(readConfig({ SERVICE_BASE_PATH: given }).config.basePath, expected, given)
})

t.test('lists are trimmed and hold no empties', async (t) => {
  const { config } = readConfig({ SERVICE_CORS_ALLOWED_METHODS: ' GET , ,POST,' })
  t.same(config.corsAllowedMethods, ['GET', 'POST'])
})

t.test('and never change', async (t) => {
  const { config } = readConfig({})
  t.throws(() => Object.assign(config, { port: 1 }))
})

t.test('a variable that is no setting is a warning', async (t) => {
  t.same(readConfig({ SERVICE_PROT: '1', SERVICE_ADMIN_PASSWORD: 'x', OTHER: '' }).warnings, [
    'SERVICE_PROT is not a setting of this service.',
  ])
})

t.test('a variable of the reference service is a warning that says what to set instead', async (t) => {
  const read = (env: Record<string, string>) => readConfig({ SERVICE_ADMIN_PASSWORD: 'x', ...env })
  t.equal(read({ SERVICE_WORKER_THREADS: '3' }).config.workers, 3)
  t.equal(read({ SERVICE_WORKER_THREADS: '3', SERVICE_WORKERS: '2' }).config.workers, 2)
  t.throws(() => read({ SERVICE_WORKER_THREADS: 'x' }), /^SERVICE_WORKER_THREADS must be a whole number/)
  t.match(read({ SERVICE_WORKER_THREADS: '3' }).warnings, [/another name of a setting; set SERVICE_WORKERS/])
  for (const [name, instead] of [
    ['VM_MEMORY_SIZE', /has no effect: set SERVICE_WORKER_MEMORY_MB/],
    ['BATCH_SIZE', /has no effect: small batches/],
    ['FLIGHT_SQL_PORT', /has no effect: this version has no Flight SQL/],
    ['FILE_STATS_MIN_GROUP_FILES', /has no effect: statistics of files/],
    ['ATLAS_X', /has no effect/],
  ] as const)
    t.match(read({ [`SERVICE_${name}`]: 'anything' }).warnings, [instead], name)
  t.same(
    OTHER_VARIABLES.filter(({ name }) => variables.has(`SERVICE_${name}`)),
    [],
    'none is a setting',
  )
})

t.test('the password of the documentation is one warning where others can reach the service', async (t) => {
  const warnings = (env: Record<string, string>) => readConfig(env).warnings
  t.match(warnings({}), [
    /^The super-user has the password of the documentation.* on 0\.0\.0\.0: whoever reaches it /,
  ])
  t.match(warnings({ SERVICE_ADMIN_PASSWORD: 'service-password' }), [/Set SERVICE_ADMIN_PASSWORD/])
  for (const host of ['::', '', '192.168.0.7', 'ocean.example', '127.0.0.1.example'])
    t.equal(warnings({ SERVICE_HOST: host }).length, 1, host)
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.8.8.8'])
    t.same(warnings({ SERVICE_HOST: host }), [], host)
  t.same(warnings({ SERVICE_ADMIN_PASSWORD: 'hush' }), [])
})

t.test('secrets are shown to nobody', async (t) => {
  const { config } = readConfig({ SERVICE_ADMIN_PASSWORD: 'hush', SERVICE_DATA_DIR: '/srv' })
  const everybody = JSON.stringify(shownSettings(config, false))
  const superUser = JSON.stringify(shownSettings(config, true))
  t.notMatch(everybody + superUser, 'hush')
  t.notMatch(everybody, '/srv')
  t.match(superUser, '/srv/datasets')
})
