import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { createThread, type Thread, ThreadEnded, type ThreadOptions } from '../../src/main/threads/thread.ts'
import { until } from '../support/until.ts'
import type { Called } from './called-thread.ts'

const ENTRY = new URL('./called-thread.ts', import.meta.url)

/** A thread, with its events and deaths, and what it was started with, in the order in which main has seen them. */
function threadOf(t: Test, options: Partial<ThreadOptions<unknown>> = {}) {
  const seen: unknown[] = []
  const thread = createThread<Called, unknown>({
    task: 'is tested',
    entry: ENTRY,
    data: (isFirst) => (isFirst ? 'first' : 'again'),
    onEvent: (event) => seen.push(event),
    onDeath: (error, wasOpen) => seen.push([error.message, wasOpen]),
    ...options,
  })
  t.teardown(thread.stop)
  return { thread, seen }
}

const DIED = { code: 'internal', message: 'The thread that is tested died.' }
const REFUSED = { code: 'internal', message: 'The thread that is tested is not started any more.' }

t.test('a thread starts when it is called, and calls begin in their order', async (t) => {
  const { thread, seen } = threadOf(t)
  t.notOk(thread.isOpen)
  const value = { map: new Map([[1n, new Uint8Array([2])]]) }
  const answers = await Promise.all([
    thread.call('echo', value),
    thread.call('echo', 2),
    thread.call('data', null),
  ])
  t.same(answers, [value, 2, 'first'])
  t.same(seen, ['opening', value, 2], 'events come before the answers')
  t.ok(thread.isOpen)
})

t.test('a call that takes long does not hold up others', async (t) => {
  const { thread } = threadOf(t)
  const ended: unknown[] = []
  const slow = thread.call('echoAfter', 50).then((turns) => ended.push(turns))
  ended.push(await thread.call('echo', 'quick'))
  await slow
  t.same(ended, ['quick', 50])
})

t.test('errors of a function are those of its call, and the thread goes on', async (t) => {
  const { thread, seen } = threadOf(t)
  await t.rejects(thread.call('fail', 'service error'), { code: 'no_space', message: 'full', at: 3 })
  await t.rejects(thread.call('fail', 'error'), { code: 'internal', message: 'wrong' })
  t.equal(await thread.call('data', null), 'first')
  t.same(seen, ['opening'])
})

t.test('what cannot be copied, or has no function, is an error of its call', async (t) => {
  const { thread, seen } = threadOf(t)
  await t.rejects(
    thread.call('echo', () => undefined),
    { name: 'DataCloneError' },
  )
  await t.rejects(thread.call('returnFunction', null), { code: 'internal', message: /could not be cloned/ })
  const unknown = thread as unknown as Thread<{ nothing(argument: null): null }>
  await t.rejects(unknown.call('nothing', null), { code: 'internal' })
  t.equal(await thread.call('data', null), 'first')
  t.same(seen, ['opening'])
})

for (const [how, message] of [
  ['throw', 'dead'],
  ['exit', 'The thread has ended.'],
] as const)
  t.test(`a thread that dies fails what waits, and the next call starts it again: ${how}`, async (t) => {
    const { thread, seen } = threadOf(t)
    const calls = [
      thread.call('neverAnswer', null),
      thread.call('die', how),
      thread.call('neverAnswer', null),
    ]
    for (const outcome of await Promise.allSettled(calls)) {
      t.match(outcome, { status: 'rejected', reason: { ...DIED, cause: { message } } })
      t.ok('reason' in outcome && outcome.reason instanceof ThreadEnded)
    }
    t.notOk(thread.isOpen)
    t.equal(await thread.call('data', null), 'again')
    t.same(seen, ['opening', [message, true], 'opening'])
  })

t.test('a thread may be opened again as soon as it has died, without a call', async (t) => {
  const { thread, seen } = threadOf(t, {
    onDeath(error) {
      seen.push(error.message)
      void thread.open()
    },
  })
  await t.rejects(thread.call('die', 'throw'), DIED)
  await until('it is open again', () => thread.isOpen)
  t.same(seen, ['opening', 'dead', 'opening'])
})

t.test('a thread is not started more often than it may be', async (t) => {
  const { thread } = threadOf(t, { mostStarts: 2 })
  await t.rejects(thread.call('die', 'throw'), DIED)
  await t.rejects(thread.call('die', 'exit'), DIED)
  await t.rejects(thread.call('data', null), REFUSED)
  await t.rejects(thread.open(), REFUSED)
})

t.test('a thread that cannot open says why, and may be opened again', async (t) => {
  const { thread, seen } = threadOf(t, { data: (isFirst) => (isFirst ? 'refuse' : 'again') })
  const call = thread.call('data', null)
  const opening = thread.open()
  await t.rejects(opening, { code: 'no_space', message: 'It cannot be opened.' })
  await t.rejects(call, { ...DIED, cause: { message: 'It cannot be opened.' } })
  t.same(seen, ['opening', ['It cannot be opened.', false]])
  await thread.open()
  t.equal(await thread.call('data', null), 'again')
})

t.test('a module that is none fails the calls', async (t) => {
  const { thread } = threadOf(t, { entry: new URL('./no-such-thread.ts', import.meta.url) })
  await t.rejects(thread.call('data', null), DIED)
  await t.rejects(thread.open(), DIED)
})

t.test('to stop waits for what is called, and nothing is called afterwards', async (t) => {
  const { thread, seen } = threadOf(t)
  const ended: unknown[] = []
  const slow = thread.call('echoAfter', 50).then((turns) => ended.push(turns))
  const stopped = Promise.all([thread.stop(), thread.stop()]).then(() => ended.push('stopped'))
  await t.rejects(thread.call('data', null), REFUSED)
  await Promise.all([slow, stopped])
  t.same(ended, [50, 'stopped'])
  t.same(seen, ['opening', 'closed'], 'it has not died')
  await t.rejects(thread.open(), REFUSED)
  await thread.stop()
})

t.test('to stop does not wait for a thread that dies, and one that never ran', async (t) => {
  const { thread, seen } = threadOf(t)
  await threadOf(t).thread.stop()
  const dying = t.rejects(thread.call('die', 'throw'), DIED)
  await thread.stop()
  await dying
  t.same(seen, ['opening', ['dead', true]])
})

t.test('a call is left when its signal is aborted, and the thread goes on', async (t) => {
  const { thread, seen } = threadOf(t)
  const reason = new Error('left')
  await t.rejects(thread.call('echo', 'not sent', AbortSignal.abort(reason)), reason)
  const client = new AbortController()
  const call = thread.call('echoAfter', 50, client.signal)
  client.abort(reason)
  await t.rejects(call, reason)
  t.equal(await thread.call('echo', 'sent', new AbortController().signal), 'sent')
  await thread.stop()
  t.same(seen, ['opening', 'sent', 'closed'])
})

t.test('a thread without calls does not keep the process running', async (t) => {
  const script = `
    import { createThread } from '${new URL('../../src/main/threads/thread.ts', import.meta.url)}'
    const thread = createThread({ task: 'is left', entry: new URL('${ENTRY}'), data: () => 'data', onDeath() {} })
    console.log(await thread.call('data', null), await thread.call('echoAfter', 20))`
  const folder = t.testdir({ 'main.mjs': script })
  const child = spawn(process.execPath, [join(folder, 'main.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [[code], printed] = await Promise.all([once(child, 'exit'), text(child.stdout)])
  t.same([code, printed], [0, 'data 20\n'])
})
