import t from 'tap'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc } from '../support/generate.ts'
import { columnOf } from './columns.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const float64: DataType = { kind: 'float', bits: 64 }
const utf8: DataType = { kind: 'utf8' }

const plain = (value: number | null): number | null => (value === 0 ? 0 : value)
const float = (value: number | null): Scalar | null => (value === null ? null : { kind: 'float', value })
const text = (value: string | null): Scalar | null =>
  value === null ? null : { kind: 'bytes', value: new Uint8Array(Buffer.from(value)) }

/** Columns with few distinct values, so that neighbours are often equal. A column that repeats one value is a constant. */
const numbers = fc.array(fc.constantFrom(null, 0, -0, 1.5, Number.NaN, Number.NEGATIVE_INFINITY))
const texts = fc.array(fc.constantFrom(null, '', 'a', 'longer than eight bytes', 'longer than eight bytez'))

t.test('a row has the bits of the keys in which it differs from the row before it', async (t) => {
  const property = fc.property(numbers, texts, (left, right) => {
    const rows = Math.min(left.length, right.length)
    const [a, b] = [left.slice(0, rows), right.slice(0, rows)]
    const column = columnOf(core, float64, a.map(float))
    const words = columnOf(core, utf8, b.map(text))
    const constant = core.constant(utf8, null, rows)
    const changes = core.changes(
      [
        { column, type: float64, bits: 1 },
        { column: words, type: utf8, bits: 6 },
        { column: constant, type: utf8, bits: 128 },
      ],
      rows,
    )
    for (const each of [column, words, constant]) core.free(each)
    const expected = a.map((value, row) => {
      if (row === 0) return 0
      const isSame = Object.is(plain(value), plain(a[row - 1] ?? null))
      return (isSame ? 0 : 1) | (b[row] === b[row - 1] ? 0 : 6)
    })
    return Buffer.from(expected).equals(changes)
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('values of a nested type have no order', async (t) => {
  const list: DataType = { kind: 'list', item: { name: 'item', type: float64, nullable: true, metadata: {} } }
  const column = core.constant(list, null, 2)
  t.throws(() => core.changes([{ column, type: list, bits: 1 }], 2), { code: 'not_supported' })
  core.free(column)
})
