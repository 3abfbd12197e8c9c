import { writeSchemaMessage } from '../../plan/arrow/schema-message.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { segmentsOf } from '../../plan/source/segments.ts'
import { type Part, type PartDictionary, payloadAs } from '../../plan/task/part.ts'
import type { Field } from '../../plan/types/schema.ts'
import { arrow } from '../formats/arrow/arrow.ts'
import type { ColumnSet, ReadContext } from '../formats/provider.ts'
import { buffersStore } from '../store/memory-store.ts'
import { transferFields } from './part-dictionaries.ts'

/** Reads record batches of another worker's core into columns of this one's. The caller frees each set. */
export function* readParts(
  parts: readonly Part[],
  fields: readonly Field[],
  context: ReadContext,
): Generator<ColumnSet, void> {
  // Columns of a projection may have equal names, which the reader refuses. So they are named by their index.
  const numbered = fields.map((field, index) => ({ ...field, name: String(index) }))
  for (const { dictionaries, batches } of runsOf(parts)) {
    const sent = transferFields(numbered, dictionaries)
    const schema = writeSchemaMessage({ fields: sent, metadata: {} })
    const messages = [schema, ...dictionaries.map(({ bytes }) => new Uint8Array(bytes)), ...batches]
    const store = buffersStore(messages, SENT_ROWS)
    const stream = arrow.open(store, context)
    const segments = segmentsOf(stream.segments([], store, context))
    for (const [segment, { rows }] of segments.entries())
      yield stream.read(store, { kind: 'rows', segment, from: 0, to: rows ?? 0 }, sent, context)
  }
}

/** Neighbouring batches are opened as one stream, up to so many bytes. */
const READ_BYTES = 4 << 20

/** Groups neighbouring parts with the same dictionaries, as those of one answer have, up to some bytes. */
function runsOf(
  parts: readonly Part[],
): readonly { readonly dictionaries: readonly PartDictionary[]; readonly batches: readonly Uint8Array[] }[] {
  const runs: { dictionaries: readonly PartDictionary[]; batches: Uint8Array[]; size: number }[] = []
  for (const part of parts) {
    const { bytes, dictionaries } = payloadAs(part, 'arrow')
    const last = runs.at(-1)
    const isMore = last && last.size < READ_BYTES && keysOf(last.dictionaries) === keysOf(dictionaries)
    if (isMore) {
      last.batches.push(new Uint8Array(bytes))
      last.size += bytes.byteLength
    } else runs.push({ dictionaries, batches: [new Uint8Array(bytes)], size: bytes.byteLength })
  }
  return runs
}

function keysOf(dictionaries: readonly PartDictionary[]): string {
  return dictionaries.map(({ id, key }) => `${id} ${key}`).join()
}

/** What error messages name as the file. Only a defect of the service causes one. */
const SENT_ROWS: FileRef = Object.freeze({
  path: 'rows of another worker',
  location: '',
  version: Object.freeze({ device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }),
})
