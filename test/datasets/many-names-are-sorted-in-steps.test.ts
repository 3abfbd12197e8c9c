import t from 'tap'
import { sortByBytesInSteps, sortedByBytes } from '../../src/plan/byte-order.ts'
import { runToEnd } from '../../src/plan/steps.ts'
import { fc, generator } from '../support/generate.ts'

const below = generator('names')

t.test('names come in the order of their bytes, however many there are', async (t) => {
  const letters = ['a', 'b', 'é', '\u{1f30a}', '\uffee', '0', '/', '.']
  const texts = (allowed: readonly string[]) => {
    const name = fc.array(fc.constantFrom(...allowed), { maxLength: 6 }).map((each) => each.join(''))
    return fc.sample(name, 1 + below(9000))
  }
  for (const allowed of [letters, letters.slice(0, 3), letters.filter((each) => each !== '\uffee')]) {
    const names = texts(allowed)
    const expected = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    t.same(runToEnd(sortByBytesInSteps(names)), expected)
    t.same(sortedByBytes(names), expected)
  }
  t.same(runToEnd(sortByBytesInSteps([])), [])
})

t.test('no step has many of them', async (t) => {
  const names = Array.from({ length: 20_000 }, () => `${below(1 << 30)}`)
  let steps = 0
  for (const _ of sortByBytesInSteps(names)) steps++
  t.ok(steps > 3 * (names.length / 64), `${steps} steps`)
})
