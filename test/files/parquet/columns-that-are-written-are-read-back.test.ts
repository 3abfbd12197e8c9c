import t from 'tap'
import { type DataType, field, typeName } from '../../../src/plan/types/schema.ts'
import type { Column } from '../../../src/wasm/core/column.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { flatColumnOf } from '../../../src/workers/formats/parquet/decode/flat.ts'
import { encodeColumnChunk } from '../../../src/workers/writers/parquet/row-groups.ts'
import { columnOf } from '../../core/columns.ts'
import { compareDecoders, flatChunks } from '../../parquet/both-decoders.ts'
import { fc } from '../../support/generate.ts'
import { COLUMN_SAMPLES } from './column-samples.ts'
import { oneColumnFile } from './one-column-file.ts'

const core = createCore({ maximumBytes: 256 << 20 })

/** The rows as bytes, dictionaries as their values. Nulls are zeros. */
function content(column: Column, type: DataType): Buffer {
  const rows = core.rows(column)
  return Buffer.from(core.encodeBatch([column], [type], rows, null, 0, rows, 256 << 20).bytes)
}

/** A few values, and how often they come again: the most rows have three pages. */
const shape = fc.record({
  copies: fc.constantFrom(1, 1, 7, 900),
  from: fc.nat(20),
  isNullable: fc.boolean(),
})

for (const { type, values } of COLUMN_SAMPLES) {
  t.test(typeName(type), async (t) => {
    const rows = fc.array(fc.option(values, { freq: 4 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(rows, shape, (rows, { copies, from, isNullable }) => {
        const given = isNullable ? rows : rows.filter((value) => value !== null)
        if (given.length === 0) return
        const once = columnOf(core, type, given)
        const column = core.concat(Array.from({ length: copies }, () => once))
        const start = Math.min(from, given.length * copies - 1)
        const count = given.length * copies - start
        const named = field('c', type, isNullable)
        const encoded = encodeColumnChunk(core, column, named, start, count)
        const [chunk] = flatChunks(oneColumnFile(named, encoded))
        if (chunk === undefined) throw new Error('no chunk')
        t.equal(compareDecoders(core, chunk.column, 0, count), 'equal')

        const flat = flatColumnOf(chunk.column, 0, count)
        if (flat === null) throw new Error('the core does not decode its own column')
        const read = core.flatColumn(flat)
        const mask = core.inRuns(core.rows(column), [{ from: start, to: start + count }])
        const written = core.filter(column, mask)
        t.ok(content(read, type).equals(content(written, type)), 'the rows are those that were written')
        const again = encodeColumnChunk(core, read, named, 0, count)
        t.same(again, encoded, 'the bytes do not depend on how the column is held')
        for (const each of [once, column, read, written]) core.free(each)
        core.freeMask(mask)
      }),
      { numRuns: 12 },
    )
    t.equal(core.usedBytes(), 0)
  })
}
