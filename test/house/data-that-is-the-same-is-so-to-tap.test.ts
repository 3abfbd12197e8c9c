import t from 'tap'
import { strict } from 'tcompare'
import { isSameData } from '../../scripts/same-data.ts'
import { fc } from '../support/generate.ts'

const values = fc.anything({
  withBigInt: true,
  withNullPrototype: true,
  withSparseArray: true,
  withTypedArray: true,
  withMap: true,
  withSet: true,
  withDate: true,
})

t.test('whatever it is made of, a copy too', async (t) => {
  let same = 0
  const property = fc.property(values, values, fc.boolean(), (a, b, isCopy) => {
    const other = isCopy ? structuredClone(a) : b
    if (!isSameData(a, other)) return true
    same++
    return strict(a, other).match
  })
  fc.assert(property, { numRuns: 2000 })
  t.ok(same > 100, `${same} were the same`)
})

t.test('what differs in the least, or by what only its methods give, is left to tap', async (t) => {
  const pairs: [unknown, unknown][] = [
    [[0], [-0]],
    [[1], ['1']],
    [{ a: 1 }, { a: 1, b: undefined }],
    [new Uint8Array([1]), new Int8Array([1])],
    [[new Headers({ a: '1' })], [new Headers({ a: '2' })]],
    [[new URLSearchParams('a=1')], [new URLSearchParams('a=2')]],
  ]
  for (const [a, b] of pairs) t.notOk(isSameData(a, b))
  const loop: unknown[] = []
  loop.push(loop)
  t.notOk(isSameData(loop, loop.slice()))
})
