import t from 'tap'
import { generator } from '../support/generate.ts'
import { walkAtRandom } from './random-walk.ts'
import { startWorld } from './worlds.ts'

t.test('some hundreds of rows of the contract beside streams', async (t) => {
  const target = await startWorld(t, 'without rules')
  const next = generator('requests at random')
  const { faults, streams } = await walkAtRandom(target, { requests: 400, atOnce: 16, streams: 4, next })
  t.same(faults, [])
  t.ok(streams >= 4)
})
