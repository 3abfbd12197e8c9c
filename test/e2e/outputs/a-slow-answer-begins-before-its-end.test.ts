import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t, { type Test } from 'tap'
import { tellOn, toldOn } from '../../support/told.ts'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'
import { GATE, TASKS } from '../workers/told-tasks.ts'

const ROWS = 2000

/** A service whose worker has answered the first half of the file, and waits before the second. */
async function start(t: Test) {
  const told = toldOn(t, TASKS)
  const worker = new URL('../workers/worker-that-waits.ts', import.meta.url)
  const service = await startTestService(t, { workers: 1, worker })
  const wait = Int32Array.from({ length: ROWS }, (_, row) => row)
  writeParquetFile(join(service.datasets, 'wait.parquet'), tableFromArrays({ wait }), ROWS / 2)
  writeParquetFile(join(service.datasets, 'good.parquet'), numberedRows(10), 10)
  const from = { parquet: { paths: ['wait.parquet'] } }
  const ask = (format: string, init: RequestInit = {}): Promise<Response> =>
    service.query({ from, select: ['wait'], output: { format } }, init)
  return { ...service, ask, untilItWaits: () => told('waits'), tell: tellOn(GATE) }
}

/** The text up to a row. */
async function readTo(reader: ReadableStreamDefaultReader<Uint8Array>, row: string): Promise<string> {
  let text = ''
  while (!text.includes(row)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the answer ended before ${row}`)
    text += Buffer.from(value)
  }
  return text
}

function readerOf({ body }: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (body === null) throw new Error('no body')
  return body.getReader()
}

const LAST_OF_FIRST_HALF = String(ROWS / 2 - 1)

for (const format of ['csv', 'json', 'ndjson'])
  t.test(`${format}: the first rows come while the others are not made`, async (t) => {
    const { ask, untilItWaits, tell } = await start(t)
    const response = await ask(format)
    await untilItWaits()
    t.equal(response.status, 200)
    t.equal(response.headers.get('content-length'), null)
    const reader = readerOf(response)
    const first = await readTo(reader, LAST_OF_FIRST_HALF)
    t.notMatch(first, new RegExp(`\\b${ROWS - 1}\\b`))
    tell('go on')
    const text = first + (await readTo(reader, String(ROWS - 1)))
    const rest = await reader.read()
    const all = text + Buffer.from(rest.value ?? [])
    const values = {
      csv: () => all.trim().split('\n').slice(1).map(Number),
      json: () => JSON.parse(all).rows.flat(),
      ndjson: () =>
        all
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).wait),
    }[format]
    t.same(
      values?.(),
      Array.from({ length: ROWS }, (_, row) => row),
    )
  })

for (const format of ['csv', 'json', 'ndjson'])
  t.test(`${format}: an error after them breaks the connection`, async (t) => {
    const { ask, untilItWaits, tell, rows } = await start(t)
    const reader = readerOf(await ask(format))
    const text = await readTo(reader, LAST_OF_FIRST_HALF)
    await untilItWaits()
    tell('die')
    await t.rejects(reader.read(), 'the body has no end')
    if (format === 'json') t.throws(() => JSON.parse(text))
    const good = await rows({ from: { parquet: { paths: ['good.parquet'] } }, select: ['id'] })
    t.equal(good.numRows, 10, 'the next query is answered')
  })

t.test('an error is seen under a content coding, too', async (t) => {
  const { ask, untilItWaits, tell } = await start(t)
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip' }
  const response = await ask('ndjson', { headers })
  t.equal(response.headers.get('content-encoding'), 'gzip')
  const reader = readerOf(response)
  await readTo(reader, LAST_OF_FIRST_HALF)
  await untilItWaits()
  tell('die')
  await t.rejects(reader.read())
})

t.test('an Arrow file comes whole or not at all', async (t) => {
  const { ask, untilItWaits, tell } = await start(t)
  const asked = ask('arrow')
  await untilItWaits()
  tell('die')
  t.ok((await asked).status >= 400)
})
