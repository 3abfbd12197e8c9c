import t from 'tap'
import { post, startTestServer } from '../http/test-server.ts'
import { answers } from './fake-runs.ts'

interface Caches {
  readonly caches: Readonly<Record<string, Readonly<Record<string, number>>>>
}

t.test('the least recently used answer is evicted', async (t) => {
  const limit = 1 << 20
  const { url } = await startTestServer(t, {
    env: { SERVICE_CACHE_BYTES: String(limit) },
    queries: answers(Buffer.alloc(1000, 'x')),
  })
  const ask = async (number: number): Promise<void> => {
    await (await post(`${url}/api/query`, { sql: `SELECT ${number}` })).arrayBuffer()
  }
  for (let number = 0; number < 10_000; number += 100)
    await Promise.all(Array.from({ length: 100 }, (_, i) => ask(number + i)))
  const { caches } = (await (await fetch(`${url}/api/info`)).json()) as Caches
  const { hits = 0, misses = 0, entries = 0, evictions = 0, bytes = 0 } = caches['answers'] ?? {}
  t.equal(hits, 0)
  t.equal(misses, 10_000)
  t.equal(entries + evictions, 10_000)
  t.ok(bytes <= limit)
  t.ok(entries > 100)
  t.equal(caches['runs']?.['entries'], 0)
  await ask(9_999)
  await ask(0)
  const after = (await (await fetch(`${url}/api/info`)).json()) as Caches
  t.equal(after.caches['answers']?.['hits'], 1, 'the last is there, the first is not')
})
