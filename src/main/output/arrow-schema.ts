import { writeSchemaMessage } from '../../plan/arrow/schema-message.ts'
import { createRecent } from '../../plan/recent.ts'
import type { Schema } from '../../plan/types/schema.ts'

/** Bytes of messages that are kept, with the schemas that they are of. */
const KEPT_BYTES = 1 << 20

const kept = createRecent<Buffer>(KEPT_BYTES, (message, json) => message.buffer.byteLength + 2 * json.length)

/**
 * The schema as the first message of an Arrow IPC stream. The bytes are shared.
 */
export function schemaMessage(schema: Schema): Buffer {
  const json = JSON.stringify(schema)
  const known = kept.get(json)
  if (known !== undefined) return known
  const written = writeSchemaMessage(schema)
  const message = Buffer.from(written.buffer, written.byteOffset, written.byteLength)
  kept.put(json, message)
  return message
}
