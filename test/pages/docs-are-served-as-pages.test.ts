import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { markdownToHtml, slugOf } from '../../src/main/http/pages/markdown.ts'
import { startTestServer } from '../http/test-server.ts'

const DOCS = join(import.meta.dirname, '../../docs')

const noLink = () => null

t.test('every page is served, and has no Markdown left', async (t) => {
  const { url } = await startTestServer(t)
  for (const file of globSync('**/*.md', { cwd: DOCS })) {
    const answer = await fetch(`${url}/docs/${file.replace(/\.md$/, '')}`)
    t.equal(answer.status, 200, file)
    t.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    const words = (await answer.text()).replace(/<pre>.*?<\/pre>|<code>.*?<\/code>/gs, '')
    t.notMatch(words, /\]\(|\*\*|`|^\|/m, file)
  }
  t.equal((await fetch(`${url}/docs/no-such-page`)).status, 404)
  t.equal((await fetch(`${url}/docs/..%2fpackage`)).status, 404)
})

t.test('every link of every page leads to a page and a heading', async (t) => {
  const { url } = await startTestServer(t)
  for (const file of globSync('**/*.md', { cwd: DOCS })) {
    const from = `${url}/docs/${file.replace(/\.md$/, '')}`
    const html = await (await fetch(from)).text()
    for (const [, href = ''] of html.matchAll(/<a href="([^"]+)"/g)) {
      const target = new URL(href, from)
      if (target.origin !== url || !target.pathname.startsWith('/docs/')) continue
      const page = await fetch(target)
      t.equal(page.status, 200, `${file}: ${href}`)
      if (target.hash !== '')
        t.ok((await page.text()).includes(`id="${target.hash.slice(1)}"`), `${file}: ${href}`)
    }
  }
})

t.test('the index names every page', async (t) => {
  const index = readFileSync(join(DOCS, 'index.md'), 'utf8')
  for (const file of globSync('**/*.md', { cwd: DOCS }))
    if (file !== 'index.md') t.ok(index.includes(`](${file})`), file)
})

t.test('code, text and attributes are escaped', async (t) => {
  t.equal(markdownToHtml('`a < b` & <i>', noLink), '<p><code>a &lt; b</code> &amp; &lt;i&gt;</p>')
  t.equal(markdownToHtml('```sh\n<b>\n```', noLink), '<pre><code>&lt;b&gt;</code></pre>')
  t.equal(
    markdownToHtml('[x](a"b.md)', (target) => target),
    '<p><a href="a&quot;b.md">x</a></p>',
  )
})

t.test('lists may have lists, and tables have cells with bars', async (t) => {
  t.equal(
    markdownToHtml('* a\n  more\n  * b\n* c', noLink).replaceAll('\n', ' '),
    '<ul> <li>a more <ul> <li>b</li> </ul></li> <li>c</li> </ul>',
  )
  t.match(
    markdownToHtml('| a | b |\n|---|---|\n| `x\\|y` | **z** |', noLink),
    '<td><code>x|y</code></td><td><strong>z</strong></td>',
  )
  t.equal(slugOf('What is read'), 'what-is-read')
})
