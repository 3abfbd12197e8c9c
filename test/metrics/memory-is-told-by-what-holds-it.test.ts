// In a process of its own: it measures the memory.
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { measureMemory, sumMappings } from '../../src/main/gauges/resident-memory.ts'
import { watchThreads } from '../../src/main/gauges/threads.ts'

const SMAPS = `00400000-00700000 r-xp 00000000 08:01 42    /usr/bin/node
Size:               3072 kB
Rss:                2048 kB
10000000-10100000 rwxp 00000000 00:00 0
Rss:                 100 kB
20000000-30000000 rw-p 00000000 00:00 0
Rss:                  64 kB
30000000-230000000 ---p 00000000 00:00 0
Rss:                   0 kB
7f0000000000-7f0000100000 rw-p 00000000 00:00 0    [heap]
Rss:                1024 kB
`

t.test('mappings of a process', async (t) => {
  const kB = 1024
  t.strictSame(sumMappings(SMAPS), {
    total: (2048 + 100 + 64 + 1024) * kB,
    program: 2048 * kB,
    webassembly: 64 * kB,
    code: 100 * kB,
  })
  t.strictSame(sumMappings('none'), { total: 0, program: 0, webassembly: 0, code: 0 })
})

t.test('this process', { skip: process.platform === 'linux' ? false : 'only Linux has smaps' }, async (t) => {
  using threads = watchThreads()
  const touched = new WebAssembly.Memory({ initial: 256 })
  new Uint8Array(touched.buffer).fill(1)
  const thread = new Worker(
    'setInterval(() => {}, 1000); require("node:worker_threads").parentPort.postMessage(0)',
    {
      eval: true,
    },
  )
  await new Promise((resolve) => thread.once('message', resolve))
  t.equal(threads.all.size, 1)
  const memory = await measureMemory(threads)
  if (memory === null) throw new TypeError('no memory is told')
  const { resident_bytes: resident, ...parts } = memory
  t.ok(parts.webassembly_bytes >= touched.buffer.byteLength)
  t.ok(parts.main_heap_bytes > 1 << 20 && parts.thread_heap_bytes > 1 << 20 && parts.program_bytes > 1 << 20)
  const sum = Object.values(parts).reduce((all, each) => all + each, 0)
  t.ok(Math.abs(sum - resident) <= resident / 10, `${sum} of ${resident}`)
  await thread.terminate()
  t.equal(threads.all.size, 0)
})
