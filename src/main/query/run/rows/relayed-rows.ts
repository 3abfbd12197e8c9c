import type { Encoding } from '../../../../plan/task/encoding.ts'
import type { Part } from '../../../../plan/task/part.ts'
import type { RelayedBatch } from '../../../remotes/remote-client.ts'
import type { PreparedScan, Relay } from '../../plan/prepare-scan.ts'

export interface RelayedRowsOptions {
  readonly encoding: Encoding
  /** Called with the rows and the bytes of each batch that is passed on. */
  readonly onRelayed?: (rows: number, bytes: number) => void
  /** Called after each `idleMs` in which nobody has taken the next rows. */
  onIdle(): void
  readonly idleMs: number
  /** The rows of a prepared scan, in the same encoding. `key` is another one for each. */
  rowsOf(prepared: PreparedScan, key: string): AsyncGenerator<Part, void, undefined>
}

/** How many bytes of batches workers are given together. More than these only if one batch has more. */
const BATCHES_BYTES = 8 << 20

/**
 * The rows of an answer of another service, as they come. Batches in the form of the answer are passed on. Of others workers make it, while more
 * of them come. Nothing more is read while the client does not read.
 */
export async function* relayedRows(
  { batches, prepareBatches }: Relay,
  options: RelayedRowsOptions,
): AsyncGenerator<Part, void, undefined> {
  const { encoding, onRelayed, onIdle, idleMs, rowsOf } = options
  const waiting = createWaiting(batches)
  let next: Promise<PreparedScan | null> | null = null
  for (let key = 0; ; key++) {
    const first = next === null ? await waiting.take() : null
    if (next === null && first === null) return
    if (first !== null && encoding === 'arrow' && !first.isCompressed) {
      onRelayed?.(first.rows, first.bytes.byteLength)
      yield* whileIdle([partOf(first)])
      continue
    }
    const prepared: PreparedScan | null = await (next ?? prepareFrom(first))
    if (prepared === null) return
    next = prepareFrom(null)
    // Awaited later, or never if the query is stopped.
    next.catch(() => {})
    yield* whileIdle(rowsOf(prepared, String(key)))
  }

  /** The next batches, as a scan. Null: there are no more. */
  async function prepareFrom(first: RelayedBatch | null): Promise<PreparedScan | null> {
    const taken: ArrayBuffer[] = []
    let size = 0
    for (let batch = first ?? (await waiting.take()); batch !== null; batch = await waiting.takeReady()) {
      taken.push(batch.bytes)
      size += batch.bytes.byteLength
      if (size >= BATCHES_BYTES) break
    }
    return taken.length === 0 ? null : prepareBatches(taken)
  }

  async function* whileIdle(
    parts: Iterable<Part> | AsyncIterable<Part>,
  ): AsyncGenerator<Part, void, undefined> {
    for await (const part of parts) {
      const idle = setInterval(onIdle, idleMs).unref()
      try {
        yield part
      } finally {
        clearInterval(idle)
      }
    }
  }
}

function partOf({ rows, bytes, metadataBytes }: RelayedBatch): Part {
  return { rows, from: 0, payload: { kind: 'arrow', bytes, metadataBytes, dictionaries: [] } }
}

/** Takes batches one by one, of which the next may be waited for in vain. */
function createWaiting(batches: AsyncGenerator<RelayedBatch, void>) {
  let asked: Promise<RelayedBatch | null> | null = null
  const take = (): Promise<RelayedBatch | null> => {
    const taken = asked ?? batches.next().then(({ value }) => value ?? null)
    asked = null
    return taken
  }
  return {
    /** Null: there are no more. */
    take,
    /** The next one if it comes in this turn of the event loop. Null: it does not. */
    async takeReady(): Promise<RelayedBatch | null> {
      asked = take()
      // Awaited by who takes it.
      asked.catch(() => {})
      const turn = new Promise<null>((resolve) => setImmediate(resolve, null))
      const batch = await Promise.race([asked, turn])
      if (batch !== null) asked = null
      return batch
    },
  }
}
