import t from 'tap'
import { SUPER_USER, startTestServer } from './test-server.ts'

for (const given of ['/ocean/data', 'ocean/data/']) {
  t.test(`as ${given}`, async (t) => {
    const { url } = await startTestServer(t, { env: { SERVICE_BASE_PATH: given } })
    for (const path of ['', '/', '/api/health', '/api/tables', '/openapi.json'])
      t.equal((await fetch(`${url}/ocean/data${path}`)).status, 200, path)
    t.equal((await fetch(`${url}/ocean/data/admin/api/health`)).status, 401)
    t.equal((await fetch(`${url}/ocean/data/admin/api/health`, { headers: SUPER_USER })).status, 200)
    for (const path of ['/', '/api/health', '/admin/api/health', '/openapi.json'])
      t.equal((await fetch(url + path, { headers: SUPER_USER })).status, 404, path)
    const document = (await (await fetch(`${url}/ocean/data/openapi.json`)).json()) as { paths: object }
    for (const path of Object.keys(document.paths)) t.match(path, /^\/ocean\/data\/api\//)
    t.match(await (await fetch(`${url}/ocean/data/`)).text(), 'href="/ocean/data/api/health"')
    t.equal((await fetch(`${url}/ocean/data/swagger/`)).headers.get('access-control-allow-origin'), null)
  })
}
