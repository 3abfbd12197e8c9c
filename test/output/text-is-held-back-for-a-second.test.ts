import { once } from 'node:events'
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { createFigures } from '../../src/main/history/figures.ts'
import { createBody } from '../../src/main/output/body.ts'
import type { RowsDelivery } from '../../src/main/output/deliver.ts'
import { createTempFolder } from '../../src/main/output/temp/temp-folder.ts'
import { CSV } from '../../src/main/output/text/csv.ts'
import { textDelivery } from '../../src/main/output/text/deliver-text.ts'
import { JSON_DOCUMENT, JSON_LINES } from '../../src/main/output/text/json.ts'
import { ServiceError } from '../../src/plan/errors.ts'
import type { Part } from '../../src/plan/task/part.ts'
import { field } from '../../src/plan/types/schema.ts'

const HOLD_MS = 1000
const MIB = 1 << 20

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
t.afterEach(() => mock.timers.reset())

function part(text: string): Part {
  return { rows: 1, from: 0, payload: { kind: 'text', bytes: new Uint8Array(Buffer.from(text)).buffer } }
}

/** Rows that a test hands out one by one. */
function producer() {
  const queue: {
    readonly promise: Promise<Part | null>
    settle(part: Part | null, error?: unknown): void
  }[] = []
  let taken = 0
  let given = 0
  let isClosed = false
  const at = (index: number) => {
    while (queue.length <= index) {
      const { promise, resolve, reject } = Promise.withResolvers<Part | null>()
      promise.catch(() => {})
      queue.push({
        promise,
        settle: (part, error) => (error === undefined ? resolve(part) : reject(error)),
      })
    }
    const entry = queue[index]
    if (entry === undefined) throw new RangeError(`part ${index}`)
    return entry
  }
  async function* parts(): AsyncGenerator<Part, void, undefined> {
    try {
      for (;;) {
        const next = await at(taken++).promise
        if (next === null) return
        yield next
      }
    } finally {
      isClosed = true
    }
  }
  return {
    parts: parts(),
    give: (text: string) => at(given++).settle(part(text)),
    end: () => at(given++).settle(null),
    fail: (error: unknown) => at(given++).settle(null, error),
    /** How many parts were asked for. */
    asked: () => taken,
    isClosed: () => isClosed,
  }
}

const FORMS = { csv: CSV, json: JSON_DOCUMENT, ndjson: JSON_LINES }

function deliver(
  t: Test,
  format: 'csv' | 'json' | 'ndjson',
  from: ReturnType<typeof producer>,
  { outputBytes = 100 * MIB, complete = async () => {} } = {},
) {
  const folder = createTempFolder(t.testdir({}), { outputBytes, totalBytes: 100 * MIB, reservedBytes: 0 })
  const delivery: RowsDelivery = {
    schema: { fields: [field('a', { kind: 'utf8' })], metadata: {} },
    parts: from.parts,
    figures: createFigures(),
    emptyBatch: async () => part(''),
    complete,
    onIdle: () => {},
  }
  const files = { folder, holdMs: HOLD_MS, idleMs: 60_000 }
  const delivered = textDelivery(FORMS[format])(delivery, files)
  delivered.catch(() => {})
  return { delivered, folder, figures: delivery.figures }
}

/** Turns of the event loop in which whatever is ready happens. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function textOf(chunks: { next(): Promise<Buffer | null> }): Promise<string> {
  let text = ''
  for (;;) {
    const chunk = await chunks.next()
    if (chunk === null) return text
    text += chunk
  }
}

t.test('an answer that ends within it is whole, and its length is known', async (t) => {
  const from = producer()
  const { delivered, figures } = deliver(t, 'csv', from)
  from.give('1\n')
  from.give('2\n')
  from.end()
  const { size, ...chunks } = await delivered
  t.equal(size, 6)
  t.equal(await textOf(chunks), 'a\n1\n2\n')
  t.match(figures, { rows: 2, bytes: 6 })
})

t.test('an error within it has no answer at all', async (t) => {
  const from = producer()
  const { delivered } = deliver(t, 'csv', from)
  from.give('1\n')
  await turns()
  mock.timers.tick(HOLD_MS - 100)
  from.fail(new ServiceError('unreadable_file', 'line 2'))
  await t.rejects(delivered, { code: 'unreadable_file' })
})

t.test('then what is there is sent before the next rows are made', async (t) => {
  const from = producer()
  const { delivered } = deliver(t, 'csv', from)
  from.give('1\n')
  await turns()
  mock.timers.tick(HOLD_MS)
  const { size, next } = await delivered
  t.equal(size, null)
  t.equal(String(await next()), 'a\n')
  t.equal(String(await next()), '1\n')
  const second = next()
  from.give('2\n')
  t.equal(String(await second), '2\n')
  from.end()
  t.equal(await next(), null)
})

t.test('without rows it waits on: an error before the first has a status', async (t) => {
  const from = producer()
  const { delivered } = deliver(t, 'csv', from)
  await turns()
  mock.timers.tick(10 * HOLD_MS)
  await turns()
  from.fail(new ServiceError('unreadable_file', 'line 1'))
  await t.rejects(delivered, { code: 'unreadable_file' })
})

t.test('a later error is one of the body, and JSON is not closed', async (t) => {
  const from = producer()
  const { delivered } = deliver(t, 'json', from)
  from.give(',\n["x"]')
  await turns()
  mock.timers.tick(HOLD_MS)
  const body = createBody(await delivered, () => {})
  const texts = [await body.next(), await body.next()].map(String)
  t.same(texts, ['{"columns":[{"name":"a","type":"Utf8"}],\n"rows":[', '\n["x"]'])
  from.fail(new ServiceError('unreadable_file', 'line 9'))
  await t.rejects(body.next(), { code: 'unreadable_file' })
})

t.test('the query is complete before its last bytes are sent', async (t) => {
  const from = producer()
  const failed = new ServiceError('internal', 'not recorded')
  const { delivered } = deliver(t, 'json', from, { complete: () => Promise.reject(failed) })
  from.give(',\n["x"]')
  await turns()
  mock.timers.tick(HOLD_MS)
  const { next } = await delivered
  from.end()
  await next()
  await next()
  await t.rejects(next(), failed)
})

t.test('documents are whole with rows and without', async (t) => {
  const columns = '{"columns":[{"name":"a","type":"Utf8"}],\n"rows":['
  for (const [format, parts, expected] of [
    ['json', [], `${columns}\n]}\n`],
    ['json', [',\n["x"]', ',\n["y"],\n["z"]'], `${columns}\n["x"],\n["y"],\n["z"]\n]}\n`],
    ['ndjson', [], ''],
    ['ndjson', ['{"a":"x"}\n'], '{"a":"x"}\n'],
    ['csv', [], 'a\n'],
  ] as const) {
    const from = producer()
    const { delivered, figures } = deliver(t, format, from)
    parts.forEach(from.give)
    from.end()
    const { size, next } = await delivered
    t.equal(await textOf({ next }), expected)
    t.equal(size, expected.length)
    t.equal(figures.bytes, expected.length)
  }
})

t.test(
  'what does not fit into memory waits in a file, which comes between the first rows and the next',
  async (t) => {
    const from = producer()
    const { delivered, folder } = deliver(t, 'csv', from)
    const rows = Array.from({ length: 5 }, (_, i) => `${String(i).repeat(MIB - 1000)}\n`)
    rows.slice(0, 4).forEach(from.give)
    while (from.asked() < 5) await turns()
    t.equal(folder.bytes, 3 * (MIB - 999))
    mock.timers.tick(HOLD_MS)
    const { next } = await delivered
    from.give(rows[4] ?? '')
    from.end()
    t.ok((await textOf({ next })) === `a\n${rows.join('')}`)
    await turns()
    t.equal(folder.bytes, 0)
  },
)

t.test('where there is no space for a file, the answer is sent at once', async (t) => {
  const from = producer()
  const { delivered } = deliver(t, 'csv', from, { outputBytes: MIB })
  const rows = Array.from({ length: 4 }, (_, i) => `${String(i).repeat(MIB - 1000)}\n`)
  rows.forEach(from.give)
  from.end()
  const { size, next } = await delivered
  t.equal(size, null)
  t.ok((await textOf({ next })) === `a\n${rows.join('')}`)
})

t.test('a client that does not read keeps only what is under way', async (t) => {
  const from = producer()
  const { delivered } = deliver(t, 'csv', from, { outputBytes: 1 })
  for (let i = 0; i < 50; i++) from.give('x'.repeat(2 * MIB))
  const body = createBody(await delivered, () => {})
  const stream = body.stream()
  await once(stream, 'readable')
  await turns()
  t.ok(from.asked() <= 4, `${from.asked()} parts`)
  stream.destroy()
  await once(stream, 'close')
  t.ok(from.isClosed(), 'and when it has left, nothing more is made')
})

t.test('a client that leaves frees the file', async (t) => {
  const from = producer()
  const { delivered, folder } = deliver(t, 'csv', from)
  from.give('x'.repeat(2 * MIB))
  while (from.asked() < 2) await turns()
  t.equal(folder.bytes, 2 * MIB)
  mock.timers.tick(HOLD_MS)
  const { close } = await delivered
  close()
  while (folder.bytes > 0) await turns()
  t.equal(folder.bytes, 0)
})
