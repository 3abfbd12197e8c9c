import { writeSchemaMessage } from '../../../plan/arrow/schema-message.ts'
import { createLru } from '../../../plan/lru.ts'
import type { Schema } from '../../../plan/types/schema.ts'

/** The most bytes of kept messages and of the schemas by which they are found. */
const KEPT_BYTES = 1 << 20

const cachedMessages = createLru<Uint8Array>(
  KEPT_BYTES,
  (message, json) => message.buffer.byteLength + 2 * json.length,
)

/**
 * The schema message of an Arrow IPC stream. Its memory is the caller's, who may hand it on to be freed when it is sent. What is kept
 * is never handed out: a message of many columns was freed with the first answer, and the next ones had no schema.
 */
export function schemaMessage(schema: Schema): Buffer {
  const json = JSON.stringify(schema)
  const cachedMessage = cachedMessages.get(json)
  if (cachedMessage !== undefined) return Buffer.from(cachedMessage)
  const written = writeSchemaMessage(schema)
  cachedMessages.put(json, written)
  return Buffer.from(written)
}
