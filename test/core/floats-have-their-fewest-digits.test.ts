import t from 'tap'
import type { DataType } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc } from '../support/generate.ts'
import { type CArray, place } from './c-array.ts'

const core = createCore({ maximumBytes: 64 << 20 })

/** The lines of a column of floats. */
function lines(values: Float64Array | Float32Array): string[] {
  const bits = values.BYTES_PER_ELEMENT === 8 ? 64 : 32
  const array: CArray = {
    format: bits === 64 ? 'g' : 'f',
    length: values.length,
    nullCount: 0,
    buffers: [null, values],
  }
  const placed = place(array)
  const type: DataType = { kind: 'float', bits }
  const column = core.importArray(placed.memory, placed.array, placed.schema, type)
  const { bytes } = core.encodeCsv([column], [type], values.length, null, 0, values.length, 1 << 24)
  core.free(column)
  return Buffer.from(bytes).toString().split('\n').slice(0, -1)
}

/** Bits of a fraction, with exponents of which most values are written without one. */
const double = fc
  .tuple(fc.bigInt({ min: 0n, max: (1n << 52n) - 1n }), fc.integer({ min: 1003, max: 1077 }), fc.boolean())
  .map(([fraction, exponent, isNegative]) => {
    const bits = fraction | (BigInt(exponent) << 52n) | (isNegative ? 1n << 63n : 0n)
    return new Float64Array(BigUint64Array.of(bits).buffer)[0] ?? 0
  })

/** What people write: some digits, and a place of the point. */
const written = fc
  .tuple(fc.nat({ max: 10 ** 15 }), fc.integer({ min: 0, max: 15 }), fc.integer({ min: 0, max: 20 }))
  .map(([digits, dropped, places]) => Number(`${Math.trunc(digits / 10 ** dropped)}e-${places}`))

t.test('64 bits read back, and have as few digits as in JavaScript', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.oneof(double, written, fc.double()), { maxLength: 500 }), (values) => {
      const texts = lines(Float64Array.from(values))
      return values.every((value, i) => {
        const text = texts[i] ?? ''
        if (!Number.isFinite(value)) return text === String(value).replace('Infinity', 'inf')
        // Where two are equally near, JavaScript takes the even one.
        return Object.is(Number(text), value) && digitsOf(text).length === digitsOf(String(value)).length
      })
    }),
  )
  t.pass()
})

t.test(
  '32 bits read back, with a digit less they do not, and no other number of so many digits is nearer',
  async (t) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(double, written), { maxLength: 500 }), (values) => {
        const singles = Float32Array.from(values)
        const texts = lines(singles)
        return [...singles].every((value, i) => {
          const text = texts[i] ?? ''
          if (!Object.is(Math.fround(Number(text)), value)) return false
          const count = digitsOf(text).length
          // JavaScript gives the nearest of so many digits.
          if (count > 1 && Math.fround(Number(value.toPrecision(count - 1))) === value) return false
          const nearest = Number(value.toPrecision(Math.max(count, 1)))
          return Math.abs(Number(text) - value) <= Math.abs(nearest - value) || Math.fround(nearest) !== value
        })
      }),
    )
    t.pass()
  },
)

/** Without the point, the sign, the exponent, and zeros at either end. */
function digitsOf(text: string): string {
  return text
    .replace(/e.*/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')
}
