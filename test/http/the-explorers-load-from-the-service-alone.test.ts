import t from 'tap'
import { startTestServer } from './test-server.ts'

for (const base of ['', '/ocean']) {
  t.test(`with the base path '${base}'`, async (t) => {
    const { url } = await startTestServer(t, { env: { SERVICE_BASE_PATH: base } })
    for (const folder of ['/scalar', '/swagger']) {
      const redirect = await fetch(`${url}${base}${folder}`, { redirect: 'manual' })
      t.equal(redirect.status, 303, folder)
      t.equal(redirect.headers.get('location'), `${base}${folder}/`)

      const page = await fetch(`${url}${base}${folder}/`)
      t.equal(page.status, 200, folder)
      t.match(page.headers.get('content-type'), /^text\/html/)
      const html = await page.text()
      const parts = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(
        ([, part = '']) => new URL(part, page.url),
      )
      t.ok(parts.length > 0)
      for (const part of parts) {
        t.equal(part.origin, url, part.href)
        t.equal((await fetch(part)).status, 200, part.href)
      }
      const missing = await fetch(`${url}${base}${folder}/nope.js`)
      t.equal(missing.status, 404)
      t.equal(await missing.json(), `There is no ${base}${folder}/nope.js.`)
    }
    t.match(await (await fetch(`${url}${base}/scalar/`)).text(), `${base}/openapi.json`)
    t.match(
      await (await fetch(`${url}${base}/swagger/static/swagger-initializer.js`)).text(),
      `${base}/openapi.json`,
    )
  })
}
