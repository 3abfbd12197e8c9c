import { CONTINUATION, Header, PREFIX_BYTES } from '../../../plan/arrow/ipc.ts'
import { readByte, readLong, readTable, rootTable, type Table } from '../../../plan/arrow/read-flatbuffer.ts'
import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { freeMemory } from '../../../plan/free-memory.ts'

/** A message of an Arrow stream that has come whole. */
export interface ArrowMessage {
  readonly kind: 'schema' | 'batch'
  /** Prefix, metadata and body. Its memory is the reader's. */
  readonly bytes: ArrayBuffer
  /** The bytes of prefix and metadata. */
  readonly metadataBytes: number
  /** The record batch of the metadata. */
  readonly header: Table
}

/** The most bytes of the metadata and of the body of a message. Services of this kind send batches of at most 16 MiB. */
const MOST_METADATA_BYTES = 16 << 20
const MOST_BODY_BYTES = 256 << 20

/** Bodies and metadata are padded to it. */
const ALIGNMENT = 8

/**
 * The messages of an Arrow stream as they come, without its end. Memory is taken for what has come, not for what a length claims. Rejects with
 * `remote_refused` for what is no whole stream of a schema and record batches, and with the error of `stream`.
 * @param relation Where the rows are from, for messages.
 */
export async function* arrowMessages(
  stream: AsyncIterable<Uint8Array>,
  relation: string,
): AsyncGenerator<ArrowMessage, void> {
  const refuse = (what: string, cause?: unknown): ServiceError =>
    new ServiceError(
      'remote_refused',
      `The rows of ${JSON.stringify(relation)}, which another service has sent, are no whole Arrow stream: ${what}.`,
      { cause },
    )
  const reader = createReader(stream, () => refuse('it is cut short'))
  for (let kind: ArrowMessage['kind'] = 'schema'; ; kind = 'batch') {
    const prefix = new DataView(await reader.take(PREFIX_BYTES))
    const length = prefix.getUint32(4, true)
    if (prefix.getUint32(0, true) !== CONTINUATION) throw refuse('a message does not begin as one')
    if (length === 0) break
    if (length > MOST_METADATA_BYTES || length % ALIGNMENT !== 0)
      throw refuse(`a message claims ${length} bytes of metadata`)
    const metadata = await reader.take(length)
    const { header, bodyBytes } = messageOf(metadata, kind, refuse)
    if (!(bodyBytes >= 0 && bodyBytes <= MOST_BODY_BYTES && bodyBytes % ALIGNMENT === 0))
      throw refuse(`a message claims ${bodyBytes} bytes`)
    const bytes = await reader.take(bodyBytes, [prefix.buffer as ArrayBuffer, metadata])
    yield { kind, bytes, metadataBytes: PREFIX_BYTES + length, header }
  }
  if (!(await reader.isAtEnd())) throw refuse('something follows its end')
}

function messageOf(
  metadata: ArrayBuffer,
  kind: ArrowMessage['kind'],
  refuse: (what: string, cause?: unknown) => ServiceError,
): { readonly header: Table; readonly bodyBytes: number } {
  try {
    const root = rootTable(new Uint8Array(metadata))
    const header = readTable(root, 2)
    const expected = kind === 'schema' ? Header.schema : Header.recordBatch
    if (header === null || readByte(root, 1) !== expected) throw refuse(`a message is no ${kind}`)
    return { header, bodyBytes: Number(readLong(root, 3)) }
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') throw refuse(error.message, error)
    throw error
  }
}

/**
 * Takes bytes of a stream in pieces of any size. A socket gives each 64 KiB in memory of their own, which is freed: the collections that they would cause
 * took a quarter of the time in which rows were relayed.
 */
function createReader(stream: AsyncIterable<Uint8Array>, cutShort: () => ServiceError) {
  const chunks = stream[Symbol.asyncIterator]()
  /** What has come and was not taken, and how many bytes it is. */
  let waiting: Buffer[] = []
  let size = 0

  async function more(): Promise<boolean> {
    const next = await chunks.next()
    if (next.done === true) return false
    const { buffer, byteOffset, byteLength } = next.value
    waiting.push(Buffer.from(buffer, byteOffset, byteLength))
    size += byteLength
    return true
  }

  return {
    /** The next bytes, behind others, in memory of their own. */
    async take(bytes: number, before: readonly ArrayBuffer[] = []): Promise<ArrayBuffer> {
      while (size < bytes) if (!(await more())) throw cutShort()
      const start = before.reduce((sum, { byteLength }) => sum + byteLength, 0)
      // All of it is written, and none of it is Node's pool.
      const taken = Buffer.allocUnsafeSlow(start + bytes)
      let at = 0
      for (const part of before) {
        taken.set(new Uint8Array(part), at)
        at += part.byteLength
      }
      let whole = 0
      for (const chunk of waiting) {
        const part = chunk.subarray(0, taken.length - at)
        taken.set(part, at)
        at += part.length
        if (part.length < chunk.length) {
          waiting[whole] = chunk.subarray(part.length)
          break
        }
        whole++
        freeMemory(chunk)
      }
      waiting = waiting.slice(whole)
      size -= bytes
      return taken.buffer
    },
    async isAtEnd(): Promise<boolean> {
      while (size === 0) if (!(await more())) return true
      return false
    },
  }
}
