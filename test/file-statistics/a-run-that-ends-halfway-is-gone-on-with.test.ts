import { join } from 'node:path'
import t from 'tap'
import { createSequence } from '../../src/main/crawlers/schedule/sequence.ts'
import { createFileStatistics } from '../../src/main/file-statistics/file-statistics.ts'
import type { WalkStep } from '../../src/main/file-statistics/walk/walk-functions.ts'
import type { WalkedFiles } from '../../src/main/learned/file-registry.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { openStore } from '../learned/stored.ts'

/** Files with the versions of so many revisions. */
function walkedFiles(names: readonly string[], revision = 1): WalkedFiles {
  return {
    paths: names,
    locations: names.map((name) => `/data/${name}`),
    formats: names.map(() => 'nc'),
    versions: names.map((_, index) => `1:${index}:10:${revision}:${revision}`),
  }
}

const COUNTS = { columns: 2, rows: 3, bytes: null }

t.test('files that were not settled wait, over restarts of the store', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  const first = openStore(path)
  t.equal(await first.registry.hasFiles(), false)
  await first.registry.beginRun('', false)
  t.same(await first.registry.register(walkedFiles(['a.nc', 'b/c.nc', 'd.nc'])), {
    discovered: 3,
    requeued: 0,
  })
  const [a, c, d] = await first.registry.takePending(0, 10)
  t.same(await first.registry.takePending(a?.id ?? 0, 1), [c])
  await first.registry.settle([
    { id: a?.id ?? 0, state: 'Analyzed', ...COUNTS },
    { id: d?.id ?? 0, state: 'Failed', columns: null, rows: null, bytes: null },
  ])
  // It ends without the end of the run.
  await first.close()

  const second = openStore(path)
  const states = async () => (await second.registry.list(0, 10)).map(({ path, state }) => `${path} ${state}`)
  t.same(await states(), ['a.nc Analyzed', 'b/c.nc Pending', 'd.nc Failed'])
  await second.registry.beginRun('', false)
  t.same(await second.registry.register(walkedFiles(['a.nc', 'b/c.nc', 'd.nc'])), {
    discovered: 0,
    requeued: 0,
  })
  t.same(
    (await second.registry.takePending(0, 10)).map(({ path }) => path),
    ['b/c.nc'],
  )
  t.same(await second.registry.endRun(true), { segments: 1, pending: 1 })

  await second.registry.beginRun('b', false)
  t.same(await second.registry.register(walkedFiles([])), { discovered: 0, requeued: 0 })
  await second.registry.endRun(true)
  t.same(await states(), ['a.nc Analyzed', 'b/c.nc Deleted', 'd.nc Failed'], 'only below the folder')
  await second.registry.beginRun('', false)
  t.same(await second.registry.register(walkedFiles(['a.nc', 'b/c.nc'], 2)), { discovered: 0, requeued: 2 })
  t.same(await second.registry.endRun(false), { segments: 0, pending: 2 })
  t.same(
    await states(),
    ['a.nc Stale', 'b/c.nc Stale', 'd.nc Failed'],
    'folders that cannot be read delete none',
  )
  t.match(await second.registry.find(['d.nc', 'none']), [{ path: 'd.nc', epoch: 1 }, null])
  await second.close()

  const newer = openStore(path, { serviceVersion: '2' })
  t.same(await newer.registry.list(0, 10), [], 'another version begins anew')
  await newer.close()
})

t.test('no more files than the setting says are registered', async (t) => {
  const store = openStore(join(t.testdir({}), 'learned.db'), { limits: { files: 2, texts: 10 } })
  await store.registry.beginRun('', false)
  t.equal((await store.registry.register(walkedFiles(['a.nc', 'b.nc', 'c.nc']))).discovered, 2)
  await store.close()
})

t.test('runs are shared, one at a time goes on, and ticks are missed meanwhile', async (t) => {
  const store = openStore(join(t.testdir({}), 'learned.db'))
  const sequence = createSequence()
  const steps: PromiseWithResolvers<void>[] = []
  let tick = (): void => undefined
  let tickets = 0
  const ticket = { stop: () => undefined, release: () => tickets-- }
  const statistics = createFileStatistics({
    isEnabled: true,
    intervalSecs: 7,
    runsOnStartup: false,
    scheduler: {
      admit() {
        tickets++
        return ticket as never
      },
    },
    sequence,
    root: '/data',
    hidden: [],
    formats: FORMATS,
    learned: store,
    survey: async (_, files) =>
      files.map(({ path }) =>
        path === 'b.nc' ? { kind: 'unsettled' } : { kind: 'learned', columns: 1, rows: 1, bytes: null },
      ),
    walk: async function* walk(_, signal): AsyncGenerator<WalkStep, void> {
      const step = Promise.withResolvers<void>()
      steps.push(step)
      signal.addEventListener('abort', () => step.reject(signal.reason))
      await step.promise
      yield { kind: 'files', files: walkedFiles(['a.nc', 'b.nc']) }
      yield { kind: 'end', unread: [] }
    },
    log: { info: () => undefined, error: (_, message) => t.fail(message) },
    setTimer(ms, call) {
      t.equal(ms, 7000)
      tick = call
      return () => undefined
    },
  })
  const begun = async (nth: number): Promise<void> => {
    while (steps.length < nth) await new Promise((resolve) => setImmediate(resolve))
  }
  statistics.start()
  tick()
  await begun(1)
  const equal = statistics.run({ prefix: '', isForced: false })
  const other = statistics.run({ prefix: 'a', isForced: false })
  tick()
  steps[0]?.resolve()
  t.same(await equal, { discovered: 2, requeued: 0, analyzed: 1, failed: 0, segments: 1, pending: 1 })
  await begun(2)
  t.equal(tickets, 1)
  steps[1]?.resolve()
  t.match(await other, { discovered: 0, analyzed: 0, pending: 1 })
  t.equal(steps.length, 2, 'no tick is made up')
  // What another scheduled run takes is waited for.
  const crawl = Promise.withResolvers<void>()
  sequence(() => crawl.promise)
  tick()
  tick()
  const asked = statistics.run({ prefix: '', isForced: false })
  await begun(3)
  steps[2]?.resolve()
  await asked
  crawl.resolve()
  await begun(4)
  await Promise.all([
    statistics.close(),
    t.rejects(statistics.run({ prefix: '', isForced: false }), { code: 'cancelled' }),
  ])
  t.equal(tickets, 0)
  t.equal(steps.length, 4)
  await store.close()
})

t.test('it is switched off', async (t) => {
  const statistics = createFileStatistics({ isEnabled: false, setTimer: () => t.fail() } as never)
  statistics.start()
  await t.rejects(statistics.run({ prefix: '', isForced: false }), {
    code: 'not_supported',
    message: /SERVICE_FILE_STATS_ENABLE/,
  })
})
