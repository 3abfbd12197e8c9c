import { writeSchemaMessage } from '../../../plan/arrow/schema-message.ts'
import { createLru } from '../../../plan/lru.ts'
import type { Schema } from '../../../plan/types/schema.ts'

/** The most bytes of kept messages and of the schemas by which they are found. */
const KEPT_BYTES = 1 << 20

const kept = createLru<Buffer>(KEPT_BYTES, (message, json) => message.buffer.byteLength + 2 * json.length)

/** The schema message of an Arrow IPC stream. The buffer is shared, and must not be changed. */
export function schemaMessage(schema: Schema): Buffer {
  const json = JSON.stringify(schema)
  const known = kept.get(json)
  if (known !== undefined) return known
  const written = writeSchemaMessage(schema)
  const message = Buffer.from(written.buffer, written.byteOffset, written.byteLength)
  kept.put(json, message)
  return message
}
