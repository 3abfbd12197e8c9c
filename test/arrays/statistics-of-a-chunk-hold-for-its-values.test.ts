import t from 'tap'
import { chunkRecord, statisticsIn } from '../../src/plan/source/chunk-record.ts'
import { createChunkTable, FLAGS, RECORD_BYTES } from '../../src/plan/source/chunk-table.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { mergeValues, valuesOf } from '../../src/workers/formats/arrays/chunked/chunk-values.ts'
import { fc } from '../support/generate.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const FLOAT: DataType = { kind: 'float', bits: 64 }
const UNSIGNED: DataType = { kind: 'int', bits: 64, signed: false }

/** What is known of numbers, of which null is a null. */
function known(values: readonly (number | bigint | null)[], type: DataType) {
  const bits = new BigInt64Array(values.length)
  const floats = new Float64Array(bits.buffer)
  for (const [row, value] of values.entries())
    if (typeof value === 'bigint') bits[row] = BigInt.asIntN(64, value)
    else floats[row] = value ?? 0
  const validity = new Uint8Array(Math.ceil(values.length / 8))
  for (const [row, value] of values.entries())
    if (value !== null) validity[row >> 3] = (validity[row >> 3] ?? 0) | (1 << (row & 7))
  const buffers = [validity, new Uint8Array(bits.buffer)]
  const column = core.assemble({ layout: 'fixed', parameter: 8, rows: values.length, buffers })
  try {
    return valuesOf(core, column, type, values.length)
  } finally {
    core.free(column)
  }
}

const VALUE = fc.option(fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.NEGATIVE_INFINITY, 1, 2)), {
  nil: null,
  freq: 3,
})

t.test('bounds, nulls and NaN, also if its values are found in two parts', (t) => {
  fc.assert(
    fc.property(fc.array(VALUE, { minLength: 1, maxLength: 20 }), fc.nat(), (values, cut) => {
      const at = cut % values.length
      const parts = [values.slice(0, at), values.slice(at)].filter(({ length }) => length > 0)
      const all = parts.map((part) => known(part, FLOAT)).reduce(mergeValues)
      const numbers = values.filter((each) => each !== null && !Number.isNaN(each)) as number[]
      const hasNan = values.some((each) => Number.isNaN(each))
      const nulls = values.filter((each) => each === null).length
      const record = chunkRecord({ low: 1, high: 16 }, all)
      const words = new Int32Array(record.buffer)
      const { min, max, ...flags } = statisticsIn(words, (words[1] ?? 0) & FLAGS, FLOAT)
      const bounds = numbers.length > 0
      t.same(flags, {
        ...(nulls === 0 && { nulls: 0 }),
        ...(nulls === values.length && { nulls: 1 }),
        ...(bounds && { isMinExact: true }),
        ...(bounds && !hasNan && { isMaxExact: true }),
      })
      t.same(min?.value, bounds ? Math.min(...numbers) + 0 : undefined)
      t.same(max?.value, bounds ? Math.max(...numbers) + 0 : undefined)
    }),
  )
  t.equal(core.usedBytes(), 0, 'and nothing is left in the core')
  t.end()
})

t.test('of numbers that need 64 bits', (t) => {
  const words = new Int32Array(
    chunkRecord({ low: 1, high: 16 }, known([2n ** 64n - 1n, 2n ** 63n], UNSIGNED)).buffer,
  )
  const { min, max } = statisticsIn(words, (words[1] ?? 0) & FLAGS, UNSIGNED)
  t.same([min?.value, max?.value], [2n ** 63n, 2n ** 64n - 1n])
  t.end()
})

t.test('a table gives up the oldest records, and never gives a wrong one', (t) => {
  const digest = fc.record({ low: fc.integer({ min: 0, max: 30 }), high: fc.constantFrom(16, 32) })
  const small = { hasNulls: false, areNulls: false, hasNan: false }
  fc.assert(
    fc.property(fc.array(digest, { minLength: 1, maxLength: 60 }), (digests) => {
      const table = createChunkTable(new SharedArrayBuffer(8 * RECORD_BYTES))
      const added: string[] = []
      for (const each of digests) {
        const key = `${each.low} ${each.high}`
        const value = { kind: 'int', value: BigInt(each.low * 100 + each.high) } as const
        table.add(chunkRecord(each, { ...small, min: value, max: value }))
        if (!added.slice(-8).includes(key)) added.push(key)
      }
      const record = new Int32Array(RECORD_BYTES / 4)
      for (const low of Array.from({ length: 31 }).keys())
        for (const high of [16, 32]) {
          const flags = table.find({ low, high }, record)
          t.equal(flags !== 0, added.slice(-8).includes(`${low} ${high}`))
          if (flags !== 0)
            t.equal(
              statisticsIn(record, flags, { ...UNSIGNED, signed: true }).min?.value,
              BigInt(low * 100 + high),
            )
        }
    }),
    { numRuns: 20 },
  )
  t.end()
})
