import assert from 'node:assert/strict'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { orDeclined } from '../../src/main/query/bind/declined.ts'
import { asFloat } from '../../src/main/query/bind/expressions/literal-float.ts'
import { fc } from '../support/generate.ts'

const BITS = [32, 64] as const
const native = await (await DuckDBInstance.create(':memory:')).connect()

/** What DuckDB casts each of some literals to. */
async function castByDuckdb(texts: readonly string[], bits: 32 | 64): Promise<readonly unknown[]> {
  const type = bits === 32 ? 'FLOAT' : 'DOUBLE'
  const rows = await native.runAndReadAll(
    `SELECT unnest([${texts.map((text) => `CAST(${text} AS ${type})`).join(', ')}])`,
  )
  return rows.getRows().map(([value]) => value)
}

/** Null: it is declined. */
function castHere(text: string, bits: 32 | 64): number | null {
  const form = text.includes('.') ? 'decimal' : 'integer'
  const cast = orDeclined(() => asFloat({ kind: 'literal', form, text, at: 0 }, bits))
  return 'done' in cast ? cast.done : null
}

/** Numbers with a point, of up to 22 digits. */
const decimals = fc
  .tuple(
    fc.boolean(),
    fc.stringMatching(/^(0|[1-9]\d{0,8})$/),
    fc.oneof(fc.stringMatching(/^0{0,8}\d{1,13}$/), fc.stringMatching(/^\d{12,17}$/)),
  )
  .map(([isNegative, whole, fraction]) => `${isNegative ? '-' : ''}${whole}.${fraction}`)

/** Numbers near the middle of two floats of 32 bits. */
const ties = fc
  .tuple(
    fc.integer({ min: 2 ** 23, max: 2 ** 24 - 1 }),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: -2, max: 2 }),
  )
  .map(([significant, digits, more]) => {
    const unscaled = ((BigInt(significant) << 1n) + 1n) * 2n ** 33n + BigInt(more)
    const text = unscaled.toString().padStart(digits + 1, '0')
    return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  })

t.test('a decimal is the float that DuckDB makes of it, or is left to DuckDB', async (t) => {
  let declined = 0
  let count = 0
  const lists = fc.array(fc.oneof(decimals, ties), { minLength: 200, maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(lists, async (texts) => {
      for (const bits of BITS) {
        const expected = await castByDuckdb(texts, bits)
        for (const [index, text] of texts.entries()) {
          const cast = castHere(text, bits)
          count++
          if (cast === null) declined++
          else assert.equal(cast, expected[index], `${text} of ${bits} bits`)
        }
      }
    }),
    { numRuns: 20 },
  )
  t.ok(declined < count / 4, `${declined} of ${count} are left to DuckDB`)
})

t.test('numbers as JavaScript prints them are not left to DuckDB', async (t) => {
  const doubles = fc
    .double({ min: -400, max: 400, noNaN: true })
    .map(String)
    .filter((text) => text.includes('.') && !text.includes('e'))
  await fc.assert(
    fc.asyncProperty(fc.array(doubles, { minLength: 50, maxLength: 50 }), async (texts) => {
      for (const bits of BITS) {
        const expected = await castByDuckdb(texts, bits)
        const cast = texts.map((text) => castHere(text, bits))
        for (const [index, text] of texts.entries())
          assert.equal(cast[index], expected[index], `${text} of ${bits} bits`)
      }
    }),
    { numRuns: 40 },
  )
  t.pass()
})
