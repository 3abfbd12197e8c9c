import t from 'tap'
import type { CrawlReport } from '../../src/main/crawlers/walk/crawl-request.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { until } from '../support/until.ts'
import { csvGroup, startCrawledService, walkedGroups } from './crawling.ts'

t.test('neither by REST nor by SQL', async (t) => {
  const walks: PromiseWithResolvers<CrawlReport>[] = []
  const walk = () => {
    const held = Promise.withResolvers<CrawlReport>()
    walks.push(held)
    return held.promise
  }
  const { url, put, settle, define, run, lines } = await startCrawledService(t, { walk })
  put('obs/a.csv', 'n\n1\n')
  await settle()
  await define('c')
  const leaving = new AbortController()
  const init = { method: 'POST', headers: { ...SUPER_USER }, signal: leaving.signal }
  const byRest = fetch(`${url}/api/admin/crawlers/c/run`, init)
  const bySql = fetch(`${url}/api/query`, {
    ...init,
    headers: { ...SUPER_USER, 'content-type': 'application/json' },
    body: JSON.stringify({ sql: 'RUN CRAWLER c' }),
  })
  const left = Promise.allSettled([byRest, bySql])
  await until('a walk', () => walks.length === 1)
  leaving.abort()
  t.same(
    (await left).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const report = run('c')
  walks[0]?.resolve(walkedGroups([csvGroup('obs')]))
  t.same((await report).created, ['obs'])
  t.equal(walks.length, 1, 'it was the same run')
  t.same(await lines('SELECT n FROM obs'), ['n', '1'])
})
