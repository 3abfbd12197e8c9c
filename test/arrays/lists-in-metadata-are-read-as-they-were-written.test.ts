import t from 'tap'
import { numberLists, textOfNumbers, withListTypes } from '../../src/plan/types/attribute-lists.ts'
import { fc } from '../support/generate.ts'

const BITS = [8, 16, 32, 64] as const

const integers = fc.tuple(fc.constantFrom(...BITS), fc.boolean()).chain(([bits, signed]) => {
  const [min, max] = signed
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n]
  return fc.record({
    type: fc.constant({ kind: 'int', bits, signed } as const),
    numbers: fc.array(fc.bigInt({ min, max }), { minLength: 2, maxLength: 5 }),
  })
})
const floats = fc.record({
  type: fc.constant({ kind: 'float', bits: 64 } as const),
  numbers: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 2, maxLength: 5 }),
})
const names = fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }).filter((name) => name !== '__proto__')

t.test('numbers of any type', async () => {
  fc.assert(
    fc.property(fc.dictionary(names, fc.oneof(integers, floats), { maxKeys: 4 }), (lists) => {
      const entries = Object.entries(lists)
      const texts = Object.fromEntries(entries.map(([name, { numbers }]) => [name, textOfNumbers(numbers)]))
      const metadata = withListTypes(texts, new Map(entries.map(([name, { type }]) => [name, type])))
      const read = numberLists(metadata)
      // Zeros have one sign in text.
      const plain = (numbers: readonly (number | bigint)[]): string =>
        numbers.map((each) => String(each)).join()
      return (
        read.size === entries.length &&
        entries.every(([name, { type, numbers }]) => {
          const list = read.get(name)
          return (
            list !== undefined &&
            plain(list.numbers) === plain(numbers) &&
            JSON.stringify(list.type) === JSON.stringify(type)
          )
        })
      )
    }),
  )
})

t.test('what others have written there is text', async (t) => {
  const key = 'halocline:attribute_lists'
  for (const types of [
    '',
    '{',
    'null',
    '[]',
    '1',
    '{"a":1}',
    '{"a":"Utf8"}',
    '{"a":"List(Int8)"}',
    '{"b":"Int8"}',
    '{"__proto__":"Int8"}',
  ])
    t.same([...numberLists({ a: '1, 2', [key]: types })], [], types)
  for (const text of ['', '1,2', '1, 300', '1, x', '1, 2.5', '1, ', '0x10, 1', '1'.repeat(40), ' 1, 2'])
    t.same([...numberLists({ a: text, [key]: '{"a":"Int8"}' })], [], text)
  t.same([...numberLists({ a: '1, NaN', [key]: '{"a":"Float64"}' })], [])
})
