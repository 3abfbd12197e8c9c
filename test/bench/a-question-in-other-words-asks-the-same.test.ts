import t from 'tap'
import { varied } from '../../bench/input/vary.ts'

t.test('each number gives another text', async (t) => {
  for (const body of [{ sql: 'SELECT 1 AS n' }, { select: ['a'], from: { parquet: { paths: ['a'] } } }]) {
    const texts = Array.from({ length: 300 }, (_, number) => varied(body, number))
    t.equal(new Set(texts).size, 300)
  }
})

t.test('and the same question', async (t) => {
  const request = { select: ['a'], limit: 3 }
  t.same(JSON.parse(varied(request, 77)), request)
  t.same(JSON.parse(varied({ sql: 'SELECT a, b', output: { format: 'csv' } }, 77)), {
    sql: 'SELECT /* 77 */ a, b',
    output: { format: 'csv' },
  })
})
