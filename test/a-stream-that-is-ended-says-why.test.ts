import { once } from 'node:events'
import t from 'tap'
import { deliverStream } from '../src/main/output/deliver.ts'
import { createFigures } from '../src/main/query/figures.ts'
import { ServiceError } from '../src/plan/errors.ts'
import type { Part } from '../src/plan/task.ts'

const PART: Part = { bytes: new ArrayBuffer(2 << 20), rows: 1, from: 0, metadataBytes: 0, dictionaries: [] }

async function* endless(): AsyncGenerator<Part, void, undefined> {
  for (;;) yield PART
}

t.test('as when a client does not read for too long', async (t) => {
  const body = await deliverStream({
    schema: { fields: [], metadata: {} },
    parts: endless(),
    figures: createFigures(),
    emptyBatch: async () => PART,
    complete: async () => {},
  })
  await once(body, 'readable')
  const reason = new ServiceError('cursor_idle', 'The client did not read for too long.')
  body.destroy(reason)
  const [error] = await once(body, 'error')
  t.equal(error, reason)
})
