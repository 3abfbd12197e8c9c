import * as arrow from 'apache-arrow'
import t from 'tap'
import type { DataType } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc } from '../support/generate.ts'
import { place, texts } from './c-array.ts'
import { decode } from './decode.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const i32: DataType = { kind: 'int', bits: 32, signed: true }
const utf8: DataType = { kind: 'utf8' }

function load(values: readonly string[]) {
  const rows = values.length
  const numbers = place({
    format: 'i',
    length: rows,
    buffers: [null, Int32Array.from({ length: rows }, (_, i) => i)],
  })
  const strings = place({ format: 'u', length: rows, buffers: [null, ...texts(values)] })
  return [
    core.importArray(numbers.memory, numbers.array, numbers.schema, i32),
    core.importArray(strings.memory, strings.array, strings.schema, utf8),
  ] as const
}

t.test('batch after batch gives every selected row once, in order, within rows and bytes', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(60), { maxLength: 200 }),
      fc.integer({ min: 1, max: 90 }),
      fc.integer({ min: 0, max: 900 }),
      fc.integer({ min: -1, max: 210 }),
      fc.nat(100),
      fc.boolean(),
      (lengths, maxRows, maxBytes, above, skip, csv) => {
        const values = lengths.map((length, i) => String.fromCharCode(97 + (i % 26)).repeat(length))
        const [numbers, strings] = load(values)
        const rows = values.length
        const mask =
          above < 0 ? null : core.compare(numbers, i32, 'gt_eq', { kind: 'int', value: BigInt(above) })
        const encode = csv ? core.encodeCsv : core.encodeBatch
        const start = core.advance(mask, rows, 0, skip)
        const seen: unknown[] = []
        for (let from = start.row; from < rows; ) {
          const part = encode([numbers, strings], [i32, utf8], rows, mask, from, maxRows, maxBytes)
          const bytes = part.bytes.byteLength - part.metadataBytes
          if (part.rows > maxRows || (part.rows > 1 && bytes > maxBytes)) throw new Error('too large')
          if (csv) seen.push(...Buffer.from(part.bytes).toString().split('\n').slice(0, -1))
          else {
            const [first = [], second = []] = decode([new arrow.Int32(), new arrow.Utf8()], part.bytes)
            seen.push(...first.map((value, i) => `${value},${second[i]}`))
          }
          if (part.next <= from) throw new Error('no progress')
          from = part.next
        }
        const expected = values.map((value, i) => `${i},${value}`).slice(Math.max(0, above))
        const passed = Math.min(skip, expected.length)
        if (mask !== null) core.freeMask(mask)
        core.free(numbers)
        core.free(strings)
        return start.skipped === passed && JSON.stringify(seen) === JSON.stringify(expected.slice(passed))
      },
    ),
    { numRuns: 300 },
  )
  t.equal(core.usedBytes(), 0)
})

t.test('a batch without columns has rows all the same', async (t) => {
  const part = core.encodeBatch([], [], 100, null, 10, 65, 1 << 20)
  t.same([part.rows, part.next, part.bytes.byteLength], [65, 75, part.metadataBytes])
  const reader = arrow.RecordBatchReader.from(
    Buffer.concat([
      arrow.tableToIPC(new arrow.Table(new arrow.Schema([])), 'stream').subarray(0, -8),
      Buffer.from(part.bytes),
    ]),
  )
  t.equal(reader.next().value?.numRows, 65)
})

t.test('no row left is a batch without rows', async (t) => {
  const [numbers] = load(['a', 'b'])
  const none = core.encodeBatch([numbers], [i32], 2, core.filled(2, false), 0, 10, 100)
  t.same([none.rows, none.next], [0, 2])
  t.same(decode([new arrow.Int32()], none.bytes), [[]])
})

t.test('columns and masks of other lengths are refused', async (t) => {
  const [numbers] = load(['a', 'b'])
  const refused = { code: 'internal' }
  t.throws(() => core.encodeBatch([numbers], [i32], 3, null, 0, 10, 100), refused)
  t.throws(() => core.encodeBatch([numbers], [i32], 2, core.filled(3, true), 0, 10, 100), refused)
  core.free(numbers)
  t.throws(() => core.rows(numbers), { code: 'internal', message: /freed/ })
  t.throws(() => core.free(numbers), { code: 'internal' })
})

t.test(
  'stretches of rows that are long enough to be copied from their columns leave as they are',
  async (t) => {
    const values = Array.from({ length: 10_000 }, (_, i) => `row ${i}`)
    const [numbers, strings] = load(values)
    const few = core.compare(numbers, i32, 'gt_eq', { kind: 'int', value: 9_000n })
    for (const [mask, from, first] of [
      [null, 0, 0],
      [null, 17, 17],
      [few, 0, 9_000],
    ] as const) {
      const columns = [strings, numbers, strings]
      const { bytes, rows } = core.encodeBatch(columns, [utf8, i32, utf8], 10_000, mask, from, 1e6, 1e9)
      const [texts, whole, again] = decode([new arrow.Utf8(), new arrow.Int32(), new arrow.Utf8()], bytes)
      t.equal(rows, 10_000 - first)
      t.same(texts, values.slice(first))
      t.same(again, texts)
      t.same(
        whole,
        Array.from({ length: rows }, (_, i) => first + i),
      )
    }
    core.freeMask(few)
    core.free(numbers)
    core.free(strings)
  },
)
