import t from 'tap'
import { isExactNumber, numberSource, parseJson } from '../../../src/main/json/json.ts'
import { fc } from '../../support/generate.ts'
import { errorOf } from '../bound.ts'

t.test('a number that a double does not give back keeps its text', async (t) => {
  for (const text of [
    '9007199254740993',
    '-18446744073709551615',
    '0.12345678901234567890',
    '1e400',
    '1e-400',
    '1.0000000000000000001',
    '123456789012345678901234567890',
  ]) {
    const value = parseJson(text)
    t.ok(isExactNumber(value), text)
    t.equal(numberSource(value), text)
    t.equal(JSON.stringify({ value }), `{"value":${text}}`, 'and is printed as it came')
  }
})

t.test('any other number is a number', async (t) => {
  for (const text of ['0', '-0', '1.50', '0.1', '1e21', '9007199254740992', '-2.5E-7', '5e-324', '100e-2']) {
    t.equal(parseJson(text), Number(text), text)
  }
  const property = fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
    Object.is(parseJson(JSON.stringify(value)), JSON.parse(JSON.stringify(value))),
  )
  fc.assert(property)
})

t.test('no request can forge an exact number', async (t) => {
  t.notOk(isExactNumber(parseJson('{"rawJSON":"9007199254740993"}')))
})

t.test('names of the language are data', async (t) => {
  const value = parseJson('{"__proto__":{"polluted":1},"constructor":2,"a":1,"a":3}')
  t.same(Object.entries(value as object), [
    ['__proto__', { polluted: 1 }],
    ['constructor', 2],
    ['a', 3],
  ])
  t.notOk('polluted' in {})
})

t.test('depth and length have limits', async (t) => {
  t.match(
    errorOf(() => parseJson('['.repeat(500_000) + ']'.repeat(500_000))),
    /nested too deeply/,
  )
  t.match(
    errorOf(() => parseJson(`[${'1'.repeat(1_001)}]`)),
    /more than 1000 characters/,
  )
})
