import { mock } from 'node:test'
import t from 'tap'
import type { Chunks } from '../../src/main/output/body.ts'
import { withIdleLimit } from '../../src/main/output/idle-limit.ts'

function start() {
  let isClosed = false
  let left = 3
  const source: Chunks = {
    next: async () => (left-- > 0 ? Buffer.from('rows') : null),
    close: () => {
      isClosed = true
    },
  }
  let idle = 0
  const chunks = withIdleLimit(source, 1000, () => {
    idle++
    chunks.close()
  })
  return { chunks, isClosed: () => isClosed, idle: () => idle }
}

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
t.afterEach(() => mock.timers.reset())

t.test('a file is given up when a client stops reading it', async (t) => {
  const { chunks, isClosed, idle } = start()
  mock.timers.tick(999)
  await chunks.next()
  mock.timers.tick(999)
  t.equal(idle(), 0, 'its time begins anew with each chunk')
  mock.timers.tick(1)
  t.equal(idle(), 1)
  t.ok(isClosed())
})

t.test('a file is given up when a client never begins to read it', async (t) => {
  const { idle } = start()
  mock.timers.tick(1000)
  t.equal(idle(), 1)
})

t.test('a file that was read to its end, or closed, is not given up', async (t) => {
  const read = start()
  while ((await read.chunks.next()) !== null);
  const closed = start()
  closed.chunks.close()
  mock.timers.tick(10_000)
  t.equal(read.idle(), 0)
  t.equal(closed.idle(), 0)
})
