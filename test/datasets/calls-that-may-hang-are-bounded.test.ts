import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createBoundedCalls } from '../../src/main/datasets/file-system/bounded-calls.ts'
import { fc } from '../support/generate.ts'

interface Made {
  readonly path: string
  end(value?: string): void
}

function start() {
  const calls = createBoundedCalls({ concurrency: 2, limitMs: 5000, nameOf: (path) => `<${path}>` })
  const made: Made[] = []
  /** Asks, and notes when the call is made. */
  const ask = (path: string, question = 'lstat') =>
    calls.run(question, path, () => {
      const { promise, resolve } = Promise.withResolvers<string>()
      made.push({ path, end: (value = path) => resolve(value) })
      return promise
    })
  return { calls, made, ask, paths: () => made.map(({ path }) => path) }
}

/** Lets what has been settled be heard. */
const settled = (): Promise<void> => setImmediate()

async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms)
  await settled()
}

const UNAVAILABLE = { code: 'path_unavailable' }

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
t.afterEach(() => mock.timers.reset())

t.test('so many are made at a time, in their order', async (t) => {
  const { made, ask, paths } = start()
  const answers = ['a', 'b', 'c', 'd'].map((path) => ask(path))
  t.strictSame(paths(), ['a', 'b'])
  made[1]?.end()
  await settled()
  t.strictSame(paths(), ['a', 'b', 'c'])
  for (let i = 0; i < 4; i++) {
    made[i]?.end()
    await settled()
  }
  t.strictSame(await Promise.all(answers), ['a', 'b', 'c', 'd'])
})

t.test('one at a time for a path; those that wait with the same question share the next', async (t) => {
  const { made, ask, paths } = start()
  const first = ask('a')
  const later = [ask('a'), ask('a'), ask('a')]
  const other = ask('a', 'realpath')
  t.strictSame(paths(), ['a'], 'the second thread is free for other paths')
  ask('b')
  t.strictSame(paths(), ['a', 'b'])
  made[0]?.end('old')
  await settled()
  t.equal(await first, 'old')
  t.strictSame(paths(), ['a', 'b', 'a'])
  made[2]?.end('new')
  await settled()
  t.strictSame(await Promise.all(later), ['new', 'new', 'new'], 'it was made after they had asked')
  made[3]?.end('elsewhere')
  t.equal(await other, 'elsewhere')
})

t.test('one that fails is the error of those who asked', async (t) => {
  const { calls } = start()
  const failing = (): Promise<never> => Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' }))
  await t.rejects(calls.run('lstat', 'a', failing), { code: 'ENOENT' })
  await t.resolves(calls.run('lstat', 'a', async () => 1))
})

t.test('a path whose call is late is refused until it returns', async (t) => {
  const { calls, made, ask, paths } = start()
  const asked = [ask('a'), ask('a'), ask('a', 'realpath')]
  const outcomes = Promise.allSettled(asked)
  await pass(4999)
  t.equal(calls.lateness('a'), null)
  await pass(1)
  for (const outcome of await outcomes) t.match(outcome, { reason: UNAVAILABLE })
  await t.rejects(ask('a'), { message: /^<a> is on a file system that has not answered for 5 s/ })
  t.match(calls.lateness('a'), UNAVAILABLE)
  t.strictSame(paths(), ['a'], 'nothing more is asked about it')
  const other = ask('b')
  made[1]?.end()
  t.equal(await other, 'b', 'other paths are')
  made[0]?.end()
  await settled()
  t.equal(calls.lateness('a'), null)
  const again = ask('a')
  made[2]?.end('back')
  t.equal(await again, 'back')
})

t.test('when all are late, nobody waits', async (t) => {
  const { made, ask, paths } = start()
  const late = Promise.allSettled([ask('a'), ask('b')])
  await pass(2500)
  const waiting = Promise.allSettled([ask('c'), ask('d')])
  await pass(2500)
  for (const outcome of [...(await late), ...(await waiting)]) t.match(outcome, { reason: UNAVAILABLE })
  await t.rejects(ask('c'), { message: /^<c> cannot be looked at: .* for <a> and <b>/ })
  t.strictSame(paths(), ['a', 'b'])
  made[0]?.end()
  await settled()
  const next = ask('c')
  made[2]?.end()
  t.equal(await next, 'c')
  await t.rejects(ask('b'), UNAVAILABLE)
})

t.test('the time of one that waits begins when it is made', async (t) => {
  const { made, ask } = start()
  const first = [ask('a'), ask('b')]
  const third = ask('c')
  await pass(4000)
  for (const call of made.slice()) call.end()
  await Promise.all(first)
  await settled()
  await pass(4000)
  made[2]?.end()
  t.equal(await third, 'c')
})

t.test('any order of asking and returning keeps to the bound, and everybody hears', async () => {
  const step = fc.oneof(
    fc.record({ path: fc.constantFrom('a', 'b', 'c', 'd'), question: fc.constantFrom('lstat', 'realpath') }),
    fc.record({ end: fc.nat(1) }),
    fc.constant('late' as const),
  )
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const { made, ask } = start()
    let heard = 0
    const open: Made[] = []
    const asked: Promise<string>[] = []
    for (const each of [...steps, ...Array.from({ length: 60 }, () => ({ end: 0 }))]) {
      const before = made.length
      if (each === 'late') await pass(5000)
      else if ('end' in each) open.splice(each.end, 1)[0]?.end()
      else {
        const answer = ask(each.path, each.question)
        asked.push(
          answer.then(
            (value) => value,
            (error) => error.code,
          ),
        )
        void answer.catch(() => {}).finally(() => heard++)
      }
      await settled()
      open.push(...made.slice(before))
      if (open.length > 2 || new Set(open.map(({ path }) => path)).size < open.length) return false
    }
    const codes = ['a', 'b', 'c', 'd', 'path_unavailable']
    return heard === asked.length && (await Promise.all(asked)).every((each) => codes.includes(each))
  })
  await fc.assert(property, { numRuns: 200 })
})
