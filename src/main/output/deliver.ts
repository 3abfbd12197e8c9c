import { END_OF_STREAM } from '../../plan/arrow/ipc.ts'
import { type Part, type PartDictionary, payloadAs } from '../../plan/task/part.ts'
import type { WorkerMetrics } from '../../plan/task/worker-metrics.ts'
import type { Schema } from '../../plan/types/schema.ts'
import type { Ticket } from '../dispatch/ticket.ts'
import type { Figures } from '../history/figures.ts'
import { schemaMessage } from './arrow/arrow-schema.ts'
import type { Delivered } from './body.ts'
import type { GatherBudget } from './files/gather-budget.ts'
import type { TempFolder } from './temp/temp-folder.ts'

/** The rows of a query, to be delivered to its client. */
export interface RowsDelivery {
  readonly schema: Schema
  readonly parts: AsyncGenerator<Part, void, undefined>
  readonly figures: Figures
  /** A batch without rows, for an answer that has none. */
  emptyBatch(): Promise<Part>
  /** Awaited before the last bytes are sent, so that the client never sees a complete answer of a query that fails. */
  complete(): Promise<void>
  /** Ends an answer whose client does not read. */
  onIdle(): void
}

/** The same with what a file is made of rows with. */
export interface Delivery extends RowsDelivery {
  /** The id of the query. */
  readonly id: string
  readonly ticket: Pick<Ticket, 'run' | 'cancel' | 'forOthersToo' | 'waitFor'>
  /** Bounds what is gathered for files. */
  readonly gathering: GatherBudget
  /** How many workers there are. */
  readonly workers: number
  /** Called with what each task has cost. */
  onAnswer(answer: { readonly metrics: WorkerMetrics }, queueMs: number): void
}

/** How answers that are not sent as they are made are kept until then. */
export interface Files {
  readonly folder: TempFolder
  /** For how long after its beginning a query's text is held back, so that an error has a status of its own. Milliseconds. */
  readonly holdMs: number
  /** How long a finished file waits for a client that does not read. Milliseconds. */
  readonly idleMs: number
}

/** Makes the bytes of an answer. Rejects with an error that has a status of its own. */
export type Deliver = (delivery: Delivery, files: Files) => Promise<Delivered>

/**
 * The default answer, an Arrow IPC stream. Resolves when the first batch is computed: an error before that is answered as
 * such, and a later one breaks the connection.
 */
export async function deliverStream(delivery: RowsDelivery): Promise<Delivered> {
  const { parts } = delivery
  const first = await parts.next()
  const head = first.done ? await delivery.emptyBatch() : first.value
  const messages = streamMessages(delivery, head)
  return {
    size: null,
    async next() {
      const { done, value } = await messages.next()
      return done ? null : value
    },
    close() {
      // Whoever closes the answer also stops the query, so this need not wait.
      parts.return().catch(() => {})
    },
  }
}

async function* streamMessages(delivery: RowsDelivery, head: Part): AsyncGenerator<Buffer, void> {
  const { figures, parts } = delivery
  const schema = schemaMessage(delivery.schema)
  figures.bytes += schema.length + END_OF_STREAM.length
  const changed = dictionaryChanges()
  yield schema
  yield* count(figures, head, changed)
  for (;;) {
    const next = await parts.next()
    if (next.done) break
    const offeredAt = performance.now()
    yield* count(figures, next.value, changed)
    figures.clientMs += performance.now() - offeredAt
  }
  await delivery.complete()
  yield END_OF_STREAM
}

type Changed = (dictionaries: readonly PartDictionary[]) => readonly PartDictionary[]

/** Returns a function that gives the dictionaries of each part that differ from those of the parts before it. */
export function dictionaryChanges(): Changed {
  const keys = new Map<number, string>()
  return (dictionaries) =>
    dictionaries.filter(({ id, key }) => {
      if (keys.get(id) === key) return false
      keys.set(id, key)
      return true
    })
}

/** The messages of a part, its changed dictionaries first. Adds their rows and bytes to the figures. */
function count(figures: Figures, part: Part, changed: Changed): readonly Buffer[] {
  const { bytes, dictionaries } = payloadAs(part, 'arrow')
  // Dictionaries are copied because parts share them, and the memory of sent bytes is freed.
  const copies = changed(dictionaries).map((each) => Buffer.from(new Uint8Array(each.bytes)))
  const messages = [...copies, Buffer.from(bytes)]
  figures.rows += part.rows
  for (const message of messages) figures.bytes += message.length
  return messages
}
