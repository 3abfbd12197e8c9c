import type { FileFormat } from '../../plan/format/file-format.ts'
import type { Compression } from '../../plan/source/plain-bytes.ts'
import { type FileSummary, list, type Segment } from '../../plan/source/segments.ts'
import type { Schema } from '../../plan/types/schema.ts'
import { type Front, inflateFront, plainStore } from '../formats/compressed/inflate-front.ts'
import type { ReadContext } from '../formats/provider.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import type { Store } from '../store/store.ts'

const NO_SCHEMA: Schema = Object.freeze({ fields: Object.freeze([]), metadata: Object.freeze({}) })

/**
 * The summary of a compressed file, for which only its first bytes are inflated. If these are all, it is that of the inflated file, which
 * `summarize` makes. Otherwise it has the schema, and no rows.
 */
export function summaryOfCompressed(
  format: FileFormat,
  store: Store,
  compression: Compression,
  summarize: (store: Store) => FileSummary,
  state: WorkerState,
  context: ReadContext,
): FileSummary {
  const front = context.stopwatch.time('inflate', () =>
    inflateFront(store, compression, context.checkCancelled),
  )
  const { whole } = front
  if (whole === null) return schemaOf(format, front, compression, store, state, context)
  const size = whole.length
  const file = { ...store.file, plain: { compression, size, temp: null } }
  const summary = summarize(plainStore(store, file, whole))
  return { ...summary, compressed: { compression, size, hasSchema: true } }
}

/** What stands for the rows of a file that has to be inflated before it is read. */
function unreadSegment({ fields }: Schema): Segment {
  const none = fields.map(() => 0)
  return { rows: null, decodedBytes: none, storedBytes: none }
}

function schemaOf(
  format: FileFormat,
  front: Front,
  compression: Compression,
  store: Store,
  state: WorkerState,
  context: ReadContext,
): FileSummary {
  const opened = front.read((read, isEndKnown) =>
    withMemory(state, context, () => {
      // What was opened without a known end is no longer of use once that is known.
      const opened = (isEndKnown ? state.uncached : state).open(format, read, context)
      opened.infer?.(read, context)
      return opened
    }),
  )
  store.verify()
  const { schema = NO_SCHEMA, notices = [], unknownNames = [] } = opened ?? {}
  return {
    schema,
    segments: list([unreadSegment(schema)]),
    statistics: {},
    compressed: { compression, size: null, hasSchema: opened !== null },
    ...(notices.length > 0 && { notices }),
    ...(unknownNames.length > 0 && { unknownNames }),
  }
}
