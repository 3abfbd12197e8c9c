import t from 'tap'
import { writeSchemaMessage } from '../../src/plan/arrow/schema-message.ts'
import { field } from '../../src/plan/types/schema.ts'
import { readSchemaMessage } from '../../src/workers/formats/arrow/read-schema.ts'

const FIELDS = 20_000

/** A schema whose vector of fields refers to one and the same field, of this name, many times. */
function repeated(name: string): Uint8Array {
  const fields = [field(name, { kind: 'bool' }), ...Array(FIELDS - 1).fill(field('', { kind: 'null' }))]
  const message = Buffer.from(writeSchemaMessage({ fields, metadata: {} }))
  const count = Buffer.alloc(4)
  count.writeUInt32LE(FIELDS)
  const first = message.indexOf(count) + 4
  const target = first + message.readUInt32LE(first)
  for (let i = 1; i < FIELDS; i++) message.writeUInt32LE((target - first - 4 * i) >>> 0, first + 4 * i)
  return message
}

t.test('names that are shared', async (t) => {
  t.equal(readSchemaMessage(repeated('a short name')).fields.at(-1)?.name, 'a short name')
})

t.test('a long name that is shared by thousands of fields', async (t) => {
  t.throws(() => readSchemaMessage(repeated('x'.repeat(1 << 20))), {
    code: 'unreadable_file',
    message: /too often/,
  })
})
