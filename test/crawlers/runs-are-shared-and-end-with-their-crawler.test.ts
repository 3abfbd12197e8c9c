import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { CrawlersOptions } from '../../src/main/crawlers/crawlers.ts'
import type { PutOutcome } from '../../src/main/crawlers/run/crawl.ts'
import type { CrawlReport } from '../../src/main/crawlers/walk/crawl-request.ts'
import type { CrawlerRun } from '../../src/main/history/crawler-runs.ts'
import type { CreateCrawler } from '../../src/main/sql/grammar/node.ts'
import { inMemoryCrawlers } from '../support/no-crawlers.ts'
import { csvGroup, walkedGroups } from './crawling.ts'

const NEVER = new AbortController().signal
const crawler = (name: string, prefix = 'obs'): CreateCrawler => ({
  kind: 'create_crawler',
  name,
  prefix,
  options: [],
})

/** Crawlers over three groups, whose walks and tables end when the test says so. */
function heldCrawlers(options: Partial<CrawlersOptions> = {}) {
  const walks: PromiseWithResolvers<CrawlReport>[] = []
  const puts: (PromiseWithResolvers<PutOutcome> & { readonly name: string })[] = []
  const recorded: CrawlerRun[] = []
  const crawlers = inMemoryCrawlers({
    walk: (_, progress, signal) => {
      const walk = Promise.withResolvers<CrawlReport>()
      signal.addEventListener('abort', () => walk.reject(signal.reason))
      walks.push(walk)
      progress({ folders: 2, files: 30 })
      return walk.promise
    },
    tables: {
      ownedBy: () => [],
      standingOf: () => 'free',
      begin() {},
      readAhead() {},
      settle: async () => {},
      put: ({ name: { name } }) => {
        const put = { ...Promise.withResolvers<PutOutcome>(), name }
        puts.push(put)
        return put.promise
      },
    },
    history: {
      async recordRun(run) {
        recorded.push(run)
      },
      listRuns: () => [...new Map(recorded.map((run) => [run.id, run])).values()].reverse(),
    },
    ...options,
  })
  const groups = ['a', 'b', 'c'].map((folder) => csvGroup(folder))
  const endWalk = (index: number): void => walks[index]?.resolve(walkedGroups(groups))
  return { crawlers, walks, puts, recorded, endWalk }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate()
}

t.test('a second run of a crawler gets the report of the first', async (t) => {
  const { crawlers, walks, puts, endWalk } = heldCrawlers()
  await crawlers.define(crawler('c'), NEVER)
  const first = crawlers.run('c', false)
  const second = crawlers.run('c', false)
  await until(() => walks.length === 1)
  endWalk(0)
  for (let index = 0; index < 3; index++) {
    await until(() => puts.length > index)
    puts[index]?.resolve('created')
  }
  t.equal(await first, await second)
  t.same((await first).created, ['a', 'b', 'c'])
  const next = crawlers.run('c', false)
  await until(() => walks.length === 2)
  walks[1]?.resolve(walkedGroups([]))
  t.same((await next).created, [], 'the next one begins anew')
})

t.test('what is under way can be looked at', async (t) => {
  const { crawlers, walks, puts, endWalk } = heldCrawlers()
  await crawlers.define(crawler('c'), NEVER)
  const run = crawlers.run('c', false)
  await until(() => walks.length === 1)
  t.match(crawlers.runs('c'), [
    { state: 'running', trigger: 'request', endedAt: null, folders: 2, files: 30, tables: 0 },
  ])
  endWalk(0)
  await until(() => puts.length === 1)
  puts[0]?.resolve('created')
  await until(() => puts.length === 2)
  t.match(crawlers.runs('c'), [{ state: 'running', tables: 1 }])
  puts[1]?.reject(new Error('a secret of the machine'))
  await until(() => puts.length === 3)
  puts[2]?.resolve('skipped')
  const report = await run
  t.same(report.failed, [['b', 'Internal error; the log of the service has the details.']])
  const [ended] = crawlers.runs('c')
  t.match(ended, { state: 'done', tables: 3, error: null })
  t.match(JSON.parse(ended?.report ?? ''), { created: ['a'], skipped: ['c'] })
})

t.test('DROP ends a run after the table at hand', async (t) => {
  const { crawlers, walks, puts, recorded, endWalk } = heldCrawlers()
  await crawlers.define(crawler('c'), NEVER)
  const run = crawlers.run('c', false)
  run.catch(() => undefined)
  await until(() => walks.length === 1)
  endWalk(0)
  await until(() => puts.length === 1)
  await crawlers.drop('c', NEVER)
  puts[0]?.resolve('created')
  await t.rejects(run, { code: 'unknown_crawler', message: 'The crawler "c" was dropped while it ran.' })
  t.equal(puts.length, 1)
  t.match(recorded.at(-1), { state: 'failed', tables: 1, error: 'The crawler "c" was dropped while it ran.' })
  await t.rejects(crawlers.run('c', false), { code: 'unknown_crawler' })
})

t.test('DROP ends a walk at once, and so does a stop of the service', async (t) => {
  for (const end of [
    (all: ReturnType<typeof heldCrawlers>) => all.crawlers.drop('c', NEVER),
    (all: ReturnType<typeof heldCrawlers>) => all.crawlers.close(),
  ]) {
    const all = heldCrawlers()
    await all.crawlers.define(crawler('c'), NEVER)
    const run = all.crawlers.run('c', false)
    run.catch(() => undefined)
    await until(() => all.walks.length === 1)
    await end(all)
    await t.rejects(run, /while (the crawler|it) ran/)
    t.equal(all.recorded.at(-1)?.state, 'failed')
  }
})

t.test('one that is replaced ends its run, and the next run is of the new one', async (t) => {
  const { crawlers, walks, endWalk, puts } = heldCrawlers()
  await crawlers.define(crawler('c'), NEVER)
  const old = crawlers.run('c', false)
  old.catch(() => undefined)
  await until(() => walks.length === 1)
  endWalk(0)
  await until(() => puts.length === 1)
  await crawlers.define(crawler('c', 'other'), NEVER)
  const next = crawlers.run('c', false)
  await setImmediate()
  t.equal(walks.length, 1, 'it waits for the table at hand')
  puts[0]?.resolve('created')
  await t.rejects(old, { message: 'The crawler "c" was replaced while it ran.' })
  await until(() => walks.length === 2)
  walks[1]?.resolve(walkedGroups([]))
  t.equal((await next).discovered, 0)
})

t.test('a walk that fails is the error of the run, which the log has', async (t) => {
  const logged: string[] = []
  const { crawlers, walks, recorded } = heldCrawlers({
    log: { error: (_, message) => void logged.push(message) },
  })
  await crawlers.define(crawler('c'), NEVER)
  const run = crawlers.run('c', false)
  run.catch(() => undefined)
  await until(() => walks.length === 1)
  walks[0]?.reject(new Error('a secret of the machine'))
  await t.rejects(run)
  t.match(recorded.at(-1), {
    state: 'failed',
    error: 'Internal error; the log of the service has the details.',
  })
  t.same(logged, ['a crawler failed'])
})
