// In a process of its own: it reads the clocks of threads.
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { openThreadClock, WALL_CLOCK } from '../../src/main/dispatch/engines/thread-clock.ts'
import { lowerPriority, restorePriority } from '../../src/main/dispatch/engines/thread-priority.ts'

const isLinux = process.platform === 'linux'

/** What a thread does until it is terminated. */
const WORKS = 'for (;;);'
const WAITS = 'Atomics.wait(flag, 0, 0)'

/** A thread that says its number, and then works or waits. */
async function startThread(t: Test, work: string): Promise<number> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
    const flag = new Int32Array(new SharedArrayBuffer(4))
    parentPort.postMessage(Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1)))
    ${work}`,
    { eval: true },
  )
  t.teardown(() => worker.terminate())
  const [threadId] = (await once(worker, 'message')) as [number]
  return threadId
}

t.test('only the thread itself gets less of the CPUs', { skip: !isLinux && 'Linux only' }, async (t) => {
  const threadId = await startThread(t, WAITS)
  const own = getPriority()
  t.ok(lowerPriority(threadId))
  t.equal(getPriority(threadId), 10)
  t.equal(getPriority(), own)
  // Not everyone may raise a priority again.
  t.equal(restorePriority(threadId), getPriority(threadId) === 0)
  t.notOk(lowerPriority(2 ** 30), 'a thread that is gone')
})

t.test('a clock goes with the work of its thread', { skip: !isLinux && 'Linux only' }, async (t) => {
  const [working, sleeping] = [await startThread(t, WORKS), await startThread(t, WAITS)].map(openThreadClock)
  if (working === undefined || sleeping === undefined) throw new TypeError('two clocks')
  const [worked, slept] = [working.ms(), sleeping.ms()]
  while (working.ms() < worked + 20);
  t.ok(sleeping.ms() < slept + 20)
  const last = working.ms()
  working.close()
  t.ok(working.ms() <= last, 'it stands still once it is closed')
  working.close()
  sleeping.close()
})

t.test('where the system does not tell, it is that of the wall', async (t) => {
  t.equal(openThreadClock(null), WALL_CLOCK)
  t.equal(openThreadClock(2 ** 30), WALL_CLOCK)
})
