import t, { type Test } from 'tap'
import { startTestServer } from '../http/test-server.ts'

/** What a page names: by an attribute, or by `url(…)` and `@import` of a style sheet. */
const NAMED = /(?:\b(?:src|href|action|poster|data)=|url\(|@import\s+)["']?([^"')>\s]+)/g

/** Switches of Scalar that would call its services, and the values that keep it from doing so. */
const SCALAR_OFF = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
}

for (const base of ['', '/ocean']) {
  t.test(`with the base path '${base}', pages and what they name are of this service`, async (t) => {
    const { url } = await startTestServer(t, { env: { SERVICE_BASE_PATH: base } })
    const seen = new Set<string>()
    const queue = ['/', '/docs/', '/scalar/', '/swagger/'].map((path) => `${url}${base}${path}`)
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (seen.has(next)) continue
      seen.add(next)
      const answer = await fetch(next)
      t.equal(answer.status, 200, next)
      const type = answer.headers.get('content-type') ?? ''
      const text = await answer.text()
      if (!/^text\/(?:html|css)/.test(type)) continue
      if (type.startsWith('text/html')) checkPolicy(t, answer)
      for (const [, target = ''] of withoutText(text).matchAll(NAMED)) {
        if (/^(?:data:|#|blob:)/.test(target)) continue
        const named = new URL(target.replaceAll('&amp;', '&'), answer.url)
        t.equal(named.origin, url, `${next} names ${target}`)
        named.hash = ''
        queue.push(named.href)
      }
    }
    t.ok(seen.has(`${url}${base}/assets/home.js`))
    t.ok(seen.has(`${url}${base}/favicon.svg`))
    t.ok(seen.has(`${url}${base}/docs/guides/querying-files`))
  })
}

t.test('the policy of each page lets it load from and send to this service alone', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of ['/', '/docs/', '/docs/reference/sql', '/scalar/', '/swagger/'])
    checkPolicy(t, await fetch(url + path))
})

t.test("Scalar's own services are off", async (t) => {
  const { url } = await startTestServer(t)
  const html = await (await fetch(`${url}/scalar/`)).text()
  const [, configuration = '{}'] = /createApiReference\('#app', (\{.*?\n {6}\})\)/s.exec(html) ?? []
  t.match(JSON.parse(configuration), SCALAR_OFF)
  t.notMatch(html, /proxyUrl|https?:/)
})

t.test('the script of the home page names no host', async (t) => {
  const { url } = await startTestServer(t)
  t.notMatch(await (await fetch(`${url}/assets/home.js`)).text(), /https?:|\/\/[a-z]+\./)
})

/** Every directive must be of the service itself, of the page, or forbid all. */
function checkPolicy(t: Test, answer: Response): void {
  const policy = answer.headers.get('content-security-policy') ?? ''
  t.match(policy, /^default-src 'self';/, answer.url)
  const sources = policy.split(/[;\s]+/).filter((word) => !/^[a-z]+(?:-[a-z]+)*$/.test(word))
  for (const source of sources)
    t.ok(["'self'", "'none'", "'unsafe-inline'", 'data:', 'blob:'].includes(source), `${source} in ${policy}`)
}

/** Without what a page only shows: code, and links to other hosts that a reader may follow. */
function withoutText(html: string): string {
  return html.replace(
    /<a href="https?:[^"]*">|<pre>.*?<\/pre>|<code>.*?<\/code>|<textarea.*?<\/textarea>|<script type="application\/json".*?<\/script>/gs,
    '',
  )
}
