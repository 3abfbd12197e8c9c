import { writeSchemaMessage } from '../../plan/arrow/schema-message.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { segmentsOf } from '../../plan/source/segments.ts'
import { type Part, type PartDictionary, payloadAs } from '../../plan/task/part.ts'
import type { Field } from '../../plan/types/schema.ts'
import { arrow } from '../formats/arrow/arrow.ts'
import type { ColumnSet, ReadContext } from '../formats/provider.ts'
import { memoryStore } from '../store/memory-store.ts'
import { heldFields } from './part-dictionaries.ts'

/** Record batches of another worker's core as columns of this one's. Whoever takes a set frees it. */
export function* readParts(
  parts: readonly Part[],
  fields: readonly Field[],
  context: ReadContext,
): Generator<ColumnSet, void> {
  // Two columns may have one name.
  const numbered = fields.map((field, place) => ({ ...field, name: String(place) }))
  for (const { dictionaries, batches } of runsOf(parts)) {
    const held = heldFields(numbered, dictionaries)
    const messages = [...dictionaries.map(({ bytes }) => bytes), ...batches].map(
      (bytes) => new Uint8Array(bytes),
    )
    const schema = writeSchemaMessage({ fields: held, metadata: {} })
    const store = memoryStore(Buffer.concat([schema, ...messages]), PASSED_ON)
    const stream = arrow.open(store, context)
    const segments = segmentsOf(stream.segments([], store, context))
    for (const [segment, { rows }] of segments.entries())
      yield stream.read(store, { kind: 'rows', segment, from: 0, to: rows ?? 0 }, held, context)
  }
}

/** Parts with the same dictionaries, which those of one answer have. */
function runsOf(
  parts: readonly Part[],
): readonly { readonly dictionaries: readonly PartDictionary[]; readonly batches: readonly ArrayBuffer[] }[] {
  const runs: { dictionaries: readonly PartDictionary[]; batches: ArrayBuffer[] }[] = []
  for (const part of parts) {
    const { bytes, dictionaries } = payloadAs(part, 'arrow')
    const last = runs.at(-1)
    if (last && keysOf(last.dictionaries) === keysOf(dictionaries)) last.batches.push(bytes)
    else runs.push({ dictionaries, batches: [bytes] })
  }
  return runs
}

function keysOf(dictionaries: readonly PartDictionary[]): string {
  return dictionaries.map(({ id, key }) => `${id} ${key}`).join()
}

/** Names what is read in errors, which only a defect of the service causes. */
const PASSED_ON: FileRef = Object.freeze({
  path: 'rows of another worker',
  location: '',
  version: Object.freeze({ device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }),
})
