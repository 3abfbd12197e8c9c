import t from 'tap'
import type { Column, Mask } from '../../src/wasm/core/column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { place } from './c-array.ts'
import { decode } from './decode.ts'
import { SAMPLES, type Sample } from './samples.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const row = { kind: 'int', bits: 32, signed: true } as const

function load({ array, type }: Sample): Column {
  const placed = place(array)
  return core.importArray(placed.memory, placed.array, placed.schema, type)
}

/** True for the rows given, of five. */
function rowMask(rows: readonly number[], of = 5): Mask {
  const numbers = place({
    format: 'i',
    length: of,
    buffers: [null, Int32Array.from({ length: of }, (_, i) => i)],
  })
  const column = core.importArray(numbers.memory, numbers.array, numbers.schema, row)
  const values = rows.map((value) => ({ kind: 'int', value: BigInt(value) }) as const)
  const mask = core.isIn(column, row, values)
  core.free(column)
  return mask
}

for (const sample of SAMPLES) {
  t.test(sample.name, async (t) => {
    const column = load(sample)
    const encode = (column: Column, mask: Mask | null, from = 0, rows = 5): unknown[] => {
      const encoded = core.encodeBatch([column], [sample.type], rows, mask, from, 100, 1 << 20)
      const decoded = decode([sample.arrow], encoded.bytes)[0] ?? []
      t.equal(encoded.rows, decoded.length)
      t.equal(encoded.bytes.byteLength % 8, 0)
      return decoded
    }
    t.equal(core.rows(column), 5)
    t.same(encode(column, null), sample.rows, 'all rows')
    t.same(encode(column, null, 2), sample.rows.slice(2), 'from the third row on')
    for (const rows of [[], [0], [2], [1, 3], [0, 1, 3, 4], [4], [0, 1, 2, 3, 4]]) {
      const mask = rowMask(rows)
      t.equal(core.count(mask), rows.length)
      t.same(
        encode(column, mask),
        rows.map((i) => sample.rows[i]),
        `rows ${rows}`,
      )
      core.freeMask(mask)
    }

    const length = sample.array.length - 2
    const offset = (sample.array.offset ?? 0) + 1
    const slice = load({ ...sample, array: { ...sample.array, length, offset, nullCount: -1 } })
    t.same(encode(slice, null, 0, 3), sample.rows.slice(1, 4), 'a slice of the foreign array')

    const joined = core.concat([slice, column, slice])
    t.same(encode(joined, null, 0, 11), [
      ...sample.rows.slice(1, 4),
      ...sample.rows,
      ...sample.rows.slice(1, 4),
    ])

    const nulls = core.constant(sample.type, null, 4)
    t.same(encode(nulls, null, 0, 4), [null, null, null, null], 'nulls')

    const empty = load({ ...sample, array: { ...sample.array, length: 0 } })
    t.same(encode(empty, null, 0, 0), [], 'no rows')

    const [isNull, isNotNull] = [core.isNull(column), core.isNotNull(column)]
    t.equal(core.count(isNull), sample.rows.filter((value) => value === null).length)
    t.equal(core.count(isNotNull), sample.rows.filter((value) => value !== null).length)
    for (const each of [column, slice, joined, nulls, empty]) core.free(each)
    for (const each of [isNull, isNotNull]) core.freeMask(each)
    t.equal(core.usedBytes(), 0)
  })
}

t.test('all of them in one batch', async (t) => {
  const columns = SAMPLES.map(load)
  const mask = rowMask([1, 2, 4])
  const types = SAMPLES.map((sample) => sample.type)
  const encoded = core.encodeBatch(columns, types, 5, mask, 0, 100, 1 << 20)
  const decoded = decode(
    SAMPLES.map((sample) => sample.arrow),
    encoded.bytes,
  )
  SAMPLES.forEach((sample, i) => {
    t.same(
      decoded[i],
      [1, 2, 4].map((row) => sample.rows[row]),
      sample.name,
    )
  })
})
