import { once } from 'node:events'
import t from 'tap'
import { createFigures } from '../../../src/main/history/figures.ts'
import { createBody } from '../../../src/main/output/body.ts'
import { deliverStream } from '../../../src/main/output/deliver.ts'
import { ServiceError } from '../../../src/plan/errors.ts'
import type { Part } from '../../../src/plan/task/part.ts'

const PART: Part = {
  rows: 1,
  from: 0,
  payload: { kind: 'arrow', bytes: new ArrayBuffer(2 << 20), metadataBytes: 0, dictionaries: [] },
}

const REASON = new ServiceError('cursor_idle', 'The client did not read for too long.')

/** An endless stream of parts, and how it was ended. */
async function begin() {
  const ended: unknown[] = []
  let isClosed = false
  async function* endless(): AsyncGenerator<Part, void, undefined> {
    try {
      for (;;) yield PART
    } finally {
      isClosed = true
    }
  }
  const chunks = await deliverStream({
    schema: { fields: [], metadata: {} },
    parts: endless(),
    figures: createFigures(),
    emptyBatch: async () => PART,
    complete: async () => {},
    onIdle: () => {},
  })
  const body = createBody(chunks, (error) => ended.push(error))
  return { body, ended, isClosed: () => isClosed }
}

t.test('as when a client does not read for too long', async (t) => {
  const { body, ended, isClosed } = await begin()
  const stream = body.stream()
  await once(stream, 'readable')
  body.fail(REASON)
  const [error] = await once(stream, 'error')
  t.equal(error, REASON)
  t.equal(ended[0], REASON)
  t.ok(isClosed(), 'its rows are closed')
})

t.test('to whoever takes it chunk by chunk, too', async (t) => {
  const { body } = await begin()
  t.ok(await body.next())
  body.fail(REASON)
  await t.rejects(body.next(), REASON)
})

t.test('but not while its chunks are asked for', async (t) => {
  const { body, isClosed } = await begin()
  t.ok(await body.next())
  body.failIfIdle(60_000, REASON)
  t.ok(await body.next())
  body.failIfIdle(0, REASON)
  await t.rejects(body.next(), REASON)
  t.ok(isClosed())
})

t.test('what is closed is never taken for an answer that has ended', async (t) => {
  const { body } = await begin()
  t.ok(await body.next())
  const pending = body.next()
  body.close()
  await t.rejects(pending, { code: 'cancelled' })
  await t.rejects(body.next(), { code: 'cancelled' })
})

t.test('a client that leaves closes the rows', async (t) => {
  for (const isBegun of [false, true]) {
    const { body, ended, isClosed } = await begin()
    const stream = body.stream(isBegun ? [Buffer.from('taken')] : [])
    if (isBegun) await once(stream, 'readable')
    stream.destroy()
    await once(stream, 'close')
    t.same(ended, [undefined])
    t.ok(isClosed())
  }
})
