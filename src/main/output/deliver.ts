import { END_OF_STREAM } from '../../plan/arrow/ipc.ts'
import { ServiceError } from '../../plan/errors.ts'
import { type Part, type PartDictionary, payloadAs } from '../../plan/task/part.ts'
import type { Schema } from '../../plan/types/schema.ts'
import type { Figures } from '../metrics/figures.ts'
import { type Block, blockOf, FILE_MAGIC, fileTail } from './arrow-file.ts'
import { schemaMessage } from './arrow-schema.ts'
import type { Delivered } from './body.ts'
import { freeMemory } from './free-after-send.ts'
import { withIdleLimit } from './idle-limit.ts'
import type { TempFile } from './temp-file.ts'
import type { TempFolder } from './temp-folder.ts'

/** The rows of a query, to be delivered to its client. */
export interface Delivery {
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

/** How answers that are not sent as they are made are kept until then. */
export interface Files {
  readonly folder: TempFolder
  /** For how long after its beginning a query's text is held back, so that an error has a status of its own. Milliseconds. */
  readonly holdMs: number
  /** How long a finished file waits for a client that does not read. Milliseconds. */
  readonly idleMs: number
}

/**
 * The default answer, an Arrow IPC stream. Resolves when the first batch is computed: an error before that is answered as
 * such, and a later one breaks the connection.
 */
export async function deliverStream(delivery: Delivery): Promise<Delivered> {
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

async function* streamMessages(delivery: Delivery, head: Part): AsyncGenerator<Buffer, void> {
  const { figures, parts } = delivery
  const schema = schemaMessage(delivery.schema)
  figures.bytes += schema.length + END_OF_STREAM.length
  const changed = dictionaryChanges()
  yield schema
  yield* counted(figures, head, changed)
  for (;;) {
    const next = await parts.next()
    if (next.done) break
    const offeredAt = performance.now()
    yield* counted(figures, next.value, changed)
    figures.clientMs += performance.now() - offeredAt
  }
  await delivery.complete()
  yield END_OF_STREAM
}

/** The answer as an Arrow IPC file, which is complete before it is sent: a client reads its end first. */
export async function deliverArrowFile(delivery: Delivery, { folder, idleMs }: Files): Promise<Delivered> {
  const file = await folder.open()
  try {
    await writeArrowFile(file, delivery)
    delivery.figures.bytes = file.size
    await delivery.complete()
    return { ...withIdleLimit(file.read(), idleMs, delivery.onIdle), size: file.size }
  } catch (error) {
    await file.discard()
    throw error
  }
}

async function writeArrowFile(file: TempFile, { schema, parts, figures }: Delivery): Promise<void> {
  const message = schemaMessage(schema)
  const changed = dictionaryChanges()
  const dictionaries = new Map<number, Block>()
  const batches: Block[] = []
  const append = async (bytes: ArrayBuffer): Promise<Block> => {
    const message = Buffer.from(bytes)
    const block = blockOf(file.size, message)
    await file.write(message)
    return block
  }
  await file.write(FILE_MAGIC)
  await file.write(message)
  for await (const part of parts) {
    const batch = payloadAs(part, 'arrow')
    for (const { id, bytes } of changed(batch.dictionaries)) {
      if (dictionaries.has(id)) throw replaced(schema.fields[id]?.name)
      dictionaries.set(id, await append(bytes))
    }
    batches.push(await append(batch.bytes))
    freeMemory(Buffer.from(batch.bytes))
    figures.rows += part.rows
  }
  await file.write(fileTail(message, [...dictionaries.values()], batches))
}

type Changed = (dictionaries: readonly PartDictionary[]) => readonly PartDictionary[]

/** Returns a function that gives the dictionaries of each part that differ from those of the parts before it. */
function dictionaryChanges(): Changed {
  const keys = new Map<number, string>()
  return (dictionaries) =>
    dictionaries.filter(({ id, key }) => {
      if (keys.get(id) === key) return false
      keys.set(id, key)
      return true
    })
}

function replaced(column = ''): ServiceError {
  return new ServiceError(
    'not_supported',
    `output.format: the dictionary of column ${JSON.stringify(column)} changes from batch to batch, which an Arrow file cannot hold; leave the output out for a stream, or use csv`,
  )
}

/** The messages of a part, its changed dictionaries first. Adds their rows and bytes to the figures. */
function counted(figures: Figures, part: Part, changed: Changed): readonly Buffer[] {
  const { bytes, dictionaries } = payloadAs(part, 'arrow')
  // Dictionaries are copied because parts share them, and the memory of sent bytes is freed.
  const copies = changed(dictionaries).map((each) => Buffer.from(new Uint8Array(each.bytes)))
  const messages = [...copies, Buffer.from(bytes)]
  figures.rows += part.rows
  for (const message of messages) figures.bytes += message.length
  return messages
}
