import { type Table, tableToIPC } from 'apache-arrow'
import { BATCH_BYTES } from '../../src/plan/limits.ts'
import { segmentsOf } from '../../src/plan/source/segments.ts'
import type { Part } from '../../src/plan/task/part.ts'
import type { Field } from '../../src/plan/types/schema.ts'
import { arrow } from '../../src/workers/formats/arrow/arrow.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'
import { payloadOf } from '../../src/workers/rows/encoder.ts'
import { dictionariesOf } from '../../src/workers/rows/part-dictionaries.ts'
import { memoryStore } from '../../src/workers/store/memory-store.ts'

const NO_VERSION = { device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }

/** The rows of a table as parts of an answer. Each has as many rows as the next of `cuts`, over and over. */
export function partsOf(
  table: Table,
  cuts: readonly number[],
  context: ReadContext,
): { readonly fields: readonly Field[]; readonly parts: readonly Part[] } {
  const { core } = context
  const store = memoryStore(Buffer.from(tableToIPC(table, 'stream')), {
    path: 'a',
    location: '',
    version: NO_VERSION,
  })
  const file = arrow.open(store, context)
  const { fields } = file.schema
  const types = fields.map(({ type }) => type)
  const parts: Part[] = []
  for (const [segment, { rows }] of segmentsOf(file.segments([], store, context)).entries()) {
    const set = file.read(store, { kind: 'rows', segment, from: 0, to: rows ?? 0 }, fields, context)
    for (let from = 0; from < set.rows; ) {
      const most = cuts[parts.length % cuts.length] ?? set.rows
      const encoded = core.encodeBatch(set.columns, types, set.rows, null, from, most, BATCH_BYTES)
      const dictionaries = dictionariesOf(core, set.columns, types, 'arrow')
      parts.push({ rows: encoded.rows, from, payload: payloadOf('arrow', encoded, dictionaries) })
      from = encoded.next
    }
    for (const column of set.columns) core.free(column)
  }
  return { fields, parts }
}
