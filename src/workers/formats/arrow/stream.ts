import { Header, PREFIX_BYTES } from '../../../plan/arrow/ipc.ts'
import type { Table } from '../../../plan/arrow/read-flatbuffer.ts'
import { isServiceError } from '../../../plan/errors.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { fault } from '../fault.ts'
import type { Container } from './message.ts'
import {
  createMetadataReader,
  dictionaryOf,
  type Message,
  parseMessage,
  readPrefix,
  type StoredBatch,
  type StoredDictionary,
} from './message.ts'

/** The largest schema message that is taken for the beginning of a stream. One of thousands of columns has some megabytes. */
const MAX_SCHEMA_BYTES = 64 << 20

/** Whether the source begins with a schema message, as a stream does, which has no magic number. */
export function beginsAsStream(source: ByteSource): boolean {
  const prefix = readPrefix(source.read(0, Math.min(source.size, PREFIX_BYTES)))
  if (prefix === null || prefix.metadataBytes > Math.min(MAX_SCHEMA_BYTES, source.size - prefix.bytes))
    return false
  try {
    return parseMessage(source.read(prefix.bytes, prefix.metadataBytes)).kind === Header.schema
  } catch (error) {
    if (isServiceError(error)) return false
    throw error
  }
}

/**
 * Reads the messages of an Arrow IPC stream, without their bodies. Nothing may follow its end marker. The marker may be
 * missing: the format allows a stream that ends after a message, as one whose writer was closed early. Throws
 * `unreadable_file`; callers add the file's name.
 */
export function readStream(source: ByteSource): Container {
  if (!beginsAsStream(source)) throw fault('it begins neither with ARROW1 nor with the schema of a stream')
  const read = createMetadataReader(source)
  const batches: StoredBatch[] = []
  const dictionaries: StoredDictionary[] = []
  let schema: Table | null = null
  for (let at = 0; at < source.size; ) {
    const prefix = readPrefix(read(at, Math.min(PREFIX_BYTES, source.size - at)))
    if (prefix === null) throw fault('it is cut short between two messages')
    at += prefix.bytes
    if (prefix.metadataBytes === 0) {
      if (at < source.size) throw fault(`${source.size - at} bytes follow the end of the stream`)
      break
    }
    if (prefix.metadataBytes > source.size - at) throw fault('it is cut short in the middle of a message')
    const message: Message = parseMessage(read(at, prefix.metadataBytes))
    const body = { offset: at + prefix.metadataBytes, length: message.bodyBytes }
    if (body.length > source.size - body.offset)
      throw fault(
        `record batch ${batches.length} is cut short: it claims ${body.length} bytes at ${body.offset}`,
      )
    if (schema === null) schema = message.header
    else if (message.kind === Header.recordBatch) batches.push({ header: message.header, body })
    else if (message.kind === Header.dictionaryBatch)
      dictionaries.push(dictionaryOf(message, body, batches.length))
    else throw fault(`a message of kind ${message.kind} before record batch ${batches.length}`)
    at = body.offset + body.length
  }
  if (schema === null) throw fault('it has no schema')
  return { schema, batches, dictionaries }
}
