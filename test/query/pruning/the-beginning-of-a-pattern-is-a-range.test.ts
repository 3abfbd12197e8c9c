import assert from 'node:assert/strict'
import t from 'tap'
import { afterPrefix, startOf } from '../../../src/plan/condition/pattern.ts'
import { fc } from '../../support/generate.ts'
import { errorOf, filterOf } from '../bound.ts'

t.test('what a pattern asks of the beginning of a text', async (t) => {
  for (const [match, pattern, prefix, rest] of [
    ['like', '', '', 'nothing'],
    ['like', 'abc', 'abc', 'nothing'],
    ['like', 'abc%', 'abc', 'anything'],
    ['like', 'abc%%', 'abc', 'anything'],
    ['like', 'abc%d', 'abc', 'pattern'],
    ['like', 'ab_', 'ab', 'pattern'],
    ['like', '%abc', '', 'pattern'],
    ['ilike', 'abc%', '', 'pattern'],
    ['regex', 'abc', '', 'pattern'],
    ['regex', '^abc', 'abc', 'anything'],
    ['regex', '^', '', 'anything'],
    ['regex', '^abc$', 'abc', 'pattern'],
    ['regex', '^abc?d', 'ab', 'pattern'],
    ['regex', '^abc*', 'ab', 'pattern'],
    ['regex', '^ab\u{1F600}{0}', 'ab', 'pattern'],
    ['regex', '^abc+', 'abc', 'pattern'],
    ['regex', '^ab|c', '', 'pattern'],
    ['regex', '^ab[c|d]', '', 'pattern'],
    ['regex', '^(?i)abc', '', 'pattern'],
    ['regex', '^a\\.b', 'a', 'pattern'],
    ['regex', '(?m)^abc', '', 'pattern'],
  ] as const)
    t.same(startOf(match, pattern), { prefix, rest }, `${match} ${pattern}`)
})

t.test('a text begins with a prefix if it lies in the range', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 4 })
  const prefixes = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 })
  const property = fc.property(prefixes, text, fc.boolean(), (prefix, other, begins) => {
    const [bytes, value] = [Buffer.from(prefix), Buffer.from(begins ? prefix + other : other)]
    const isIn = Buffer.compare(value, bytes) >= 0 && Buffer.compare(value, afterPrefix(bytes)) < 0
    assert.equal(isIn, value.subarray(0, bytes.length).equals(bytes))
  })
  fc.assert(property, { numRuns: 2_000 })
})

t.test('only text has patterns', async (t) => {
  t.match(
    errorOf(() => filterOf({ kind: 'binary' }, { like: 'a%' })),
    /^type_mismatch: filters\[0\]\.like: column "c" is Binary; a pattern matches text$/,
  )
  t.match(filterOf({ kind: 'null' }, { regex: '^a' }), {
    name: 'and',
    args: [{ name: 'is_null' }, { kind: 'constant', value: null }],
  })
})
