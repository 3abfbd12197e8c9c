import t from 'tap'
import { VERSION } from '../../src/main/settings/version.ts'
import { SUPER_USER, startTestServer } from './test-server.ts'

interface Info {
  readonly [member: string]: unknown
  readonly config: Record<string, unknown>
}

const env = { SERVICE_NAME: 'ocean', SERVICE_ADMIN_PASSWORD: 'hush-hush', SERVICE_ADMIN_USERNAME: 'captain' }
const captain = { authorization: `Basic ${Buffer.from('captain:hush-hush').toString('base64')}` }

t.test('under the name of the product', async (t) => {
  const { url } = await startTestServer(t, { env })
  const info = (await (await fetch(`${url}/api/info`)).json()) as Info
  t.equal(info['ocean_version'], VERSION)
  t.not(VERSION, '')
  t.equal(info['system_info'], null)
  t.equal(info['table_count'], 1)
  t.match(info.config, { enable_sql: true, default_table: 'default', name: 'ocean' })
})

t.test('the password to nobody, folders to the super-user alone', async (t) => {
  const { url, root } = await startTestServer(t, { env })
  const anonymous = await (await fetch(`${url}/api/info`)).text()
  const own = await (await fetch(`${url}/api/info`, { headers: captain })).text()
  t.notMatch(anonymous, /hush-hush|captain|_dir/)
  t.notOk(anonymous.includes(root))
  t.notMatch(own, /hush-hush/)
  t.equal((JSON.parse(own) as Info).config['datasets_dir'], root)
})

t.test('figures of the machine if that is wanted, and its name to the super-user alone', async (t) => {
  const { url } = await startTestServer(t, { env: { ...env, SERVICE_ENABLE_SYS_INFO: 'true' } })
  const figures = [
    'global_cpu_usage',
    'cpus',
    'physical_core_count',
    'total_memory',
    'available_memory',
    'used_memory',
    'free_memory',
    'total_swap',
    'used_swap',
    'uptime',
    'load_average',
  ]
  const ofHost = ['long_os_version', 'kernel_version', 'host_name']
  const info = async (headers = {}) =>
    ((await (await fetch(`${url}/api/info`, { headers })).json()) as Info)['system_info'] as Record<
      string,
      unknown
    >
  for (const [headers, names] of [
    [{}, figures],
    [captain, [...figures, ...ofHost]],
  ] as const) {
    const told = await info(headers)
    t.strictSame(Object.keys(told), names)
    const [cpu] = told['cpus'] as readonly object[]
    t.equal('brand' in (cpu ?? {}), headers === captain)
    for (const name of ['global_cpu_usage', 'uptime', 'used_swap', 'used_memory'])
      t.ok(Number(told[name]) >= 0, name)
    t.ok(Number(told['global_cpu_usage']) <= 100)
    t.equal(Number(told['used_memory']) + Number(told['free_memory']), told['total_memory'])
  }
})

t.test('the service is healthy for everybody', async (t) => {
  const { url } = await startTestServer(t)
  t.equal(await (await fetch(`${url}/api/health`)).text(), 'Ok')
  t.equal(await (await fetch(`${url}/admin/api/health`, { headers: SUPER_USER })).text(), 'Ok')
})

t.test('the home page shows the version and links that work', async (t) => {
  const { url } = await startTestServer(t)
  const page = await fetch(`${url}/`)
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  const html = await page.text()
  t.ok(html.includes(VERSION))
  for (const [, path = ''] of html.matchAll(/href="([^"]+)"/g))
    t.equal((await fetch(url + path)).status, 200, path)
})
