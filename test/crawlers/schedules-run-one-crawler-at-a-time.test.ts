import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { Crawler } from '../../src/main/crawlers/crawler.ts'
import { createSchedule } from '../../src/main/crawlers/schedule/schedule.ts'
import { ServiceError } from '../../src/plan/errors.ts'

/** A schedule whose time passes when the test says so, over runs that end when it says so. */
function scheduled() {
  let now = 0
  const timers = new Set<{ readonly at: number; readonly call: () => void }>()
  const logged: object[] = []
  const runs: (PromiseWithResolvers<never> & { readonly name: string; readonly at: number })[] = []
  const running = new Set<string>()
  const schedule = createSchedule(
    {
      start(crawler, isDry, trigger) {
        t.same([isDry, trigger], [false, 'schedule'])
        const run = { ...Promise.withResolvers<never>(), name: crawler.name, at: now }
        runs.push(run)
        running.add(crawler.name)
        run.promise.then(
          () => running.delete(crawler.name),
          () => running.delete(crawler.name),
        )
        return run.promise
      },
      isRunning: (name) => running.has(name),
    },
    {
      log: { error: (details) => void logged.push(details) },
      setTimer(ms, call) {
        const timer = { at: now + ms, call }
        timers.add(timer)
        return () => timers.delete(timer)
      },
    },
  )
  async function pass(secs: number): Promise<void> {
    const end = now + secs * 1000
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (next === undefined) break
      now = next.at
      timers.delete(next)
      next.call()
      await setImmediate()
    }
    now = end
    await setImmediate()
  }
  const begun = () => runs.map(({ name, at }) => `${name} ${at / 1000}`)
  const end = async (index: number, error?: Error): Promise<void> => {
    if (error === undefined) runs[index]?.resolve(undefined as never)
    else runs[index]?.reject(error)
    await setImmediate()
  }
  return { schedule, pass, begun, end, running, logged, timers }
}

function crawler(name: string, scheduleSecs: number | null): Crawler {
  return {
    name,
    targetPrefix: '',
    formatFilter: null,
    tableNaming: 'leaf_prefix',
    detectsPartitions: true,
    scheduleSecs,
    isEventDriven: false,
    options: [],
  }
}

t.test('the first run comes after one interval, and then one after each', async (t) => {
  const { schedule, pass, begun, end } = scheduled()
  schedule.put(crawler('a', 10))
  schedule.put(crawler('never', null))
  await pass(9)
  t.same(begun(), [])
  for (const index of [0, 1, 2]) {
    await pass(10)
    await end(index)
  }
  t.same(begun(), ['a 10', 'a 20', 'a 30'])
})

t.test('no interval is less than a second', async (t) => {
  const { schedule, pass, begun } = scheduled()
  schedule.put(crawler('a', 0))
  await pass(1)
  t.same(begun(), ['a 1'])
})

t.test('a missed tick is not made up', async (t) => {
  const { schedule, pass, begun, end, running } = scheduled()
  schedule.put(crawler('a', 10))
  await pass(35)
  await end(0)
  t.same(begun(), ['a 10'])
  await pass(5)
  t.same(begun(), ['a 10', 'a 40'])
  await end(1)
  running.add('a')
  await pass(10)
  t.same(begun(), ['a 10', 'a 40'], 'nor while a client runs it')
})

t.test('one runs at a time, in the order of the ticks', async (t) => {
  const { schedule, pass, begun, end } = scheduled()
  schedule.put(crawler('a', 10))
  schedule.put(crawler('b', 4))
  schedule.put(crawler('c', 12))
  await pass(13)
  t.same(begun(), ['b 4'])
  await end(0)
  t.same(begun(), ['b 4', 'a 13'])
  await end(1, new Error('it fails'))
  t.same(begun(), ['b 4', 'a 13', 'c 13'], 'also after one that fails; b missed its ticks while it ran')
})

t.test('failures are logged, but not that a crawler was dropped', async (t) => {
  const { schedule, pass, end, logged } = scheduled()
  schedule.put(crawler('a', 10))
  await pass(10)
  await end(0, new ServiceError('unknown_crawler', 'dropped'))
  t.same(logged, [])
  await pass(10)
  await end(1, new Error('it fails'))
  t.match(logged, [{ crawler: 'a' }])
})

t.test('one that is dropped or replaced while it waits does not run', async (t) => {
  const { schedule, pass, begun, end, timers } = scheduled()
  schedule.put(crawler('a', 5))
  schedule.put(crawler('b', 6))
  schedule.put(crawler('c', 7))
  await pass(8)
  t.same(begun(), ['a 5'])
  schedule.drop('b')
  schedule.put(crawler('c', 100))
  await end(0)
  await pass(1)
  t.same(begun(), ['a 5'])
  schedule.close()
  t.equal(timers.size, 0)
  await pass(1000)
  t.same(begun(), ['a 5'])
})
