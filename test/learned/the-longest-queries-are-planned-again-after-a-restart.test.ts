import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'
import t, { type Test } from 'tap'
import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import { planLongestQueries } from '../../src/main/plan-longest-queries.ts'
import { ServiceError } from '../../src/plan/errors.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { startTestService, type TestService } from '../e2e/service.ts'
import { SUPER_CALLER } from '../support/callers.ts'

const FILES = 300
const SETTINGS = { SERVICE_ENABLE_SQL: 'false' }
const MESSAGE = 'the longest of the last queries over many files are planned again'

/** A log, and its first line with the message of the planning, when it comes. */
function logOf(): { readonly log: Logger; readonly planned: Promise<Readonly<Record<string, unknown>>> } {
  const { promise, resolve } = Promise.withResolvers<Readonly<Record<string, unknown>>>()
  const stream = new Writable({
    write(chunk, _, done) {
      const line = JSON.parse(String(chunk))
      if (line.msg === MESSAGE) resolve(line)
      done()
    },
  })
  return { log: pino(stream), planned: promise }
}

function writeFiles(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true })
  for (let file = 0; file < count; file++) writeFileSync(join(folder, `${file}.csv`), `a,b\n${file},1\n`)
}

const rowsOf = (folder: string, min = 1) => ({
  select: ['a'],
  from: { csv: { paths: [`${folder}/*.csv`] } },
  filters: [{ column: 'a', min }],
})

/** Asks, and reads the answer. */
async function ask(t: Test, service: TestService, body: object): Promise<void> {
  const answer = await service.query(body)
  const text = await answer.text()
  t.equal(answer.status, 200, answer.status === 200 ? 'it is answered' : text)
}

/** The files whose summaries a service has in memory, and how many it had to ask workers for, or the disk. */
async function summariesOf({ url }: TestService): Promise<{ entries: number; misses: number }> {
  const info = await (await fetch(`${url}/api/info`)).json()
  return (info as { caches: { footers: { entries: number; misses: number } } }).caches.footers
}

t.test('a service that has started knows the files of the longest queries before anybody asks', async (t) => {
  const dataDir = t.testdir({})
  writeFiles(join(dataDir, 'datasets/many'), FILES)
  writeFiles(join(dataDir, 'datasets/few'), 3)
  writeFiles(join(dataDir, 'datasets/gone'), FILES)
  const first = await startTestService(t, { dataDir, workers: 1, settings: SETTINGS })
  for (const folder of ['many', 'few', 'gone', 'many']) await ask(t, first, rowsOf(folder))
  await ask(t, first, rowsOf('many', 2))
  await first.close()
  rmSync(join(dataDir, 'datasets/gone'), { recursive: true })

  const { log, planned } = logOf()
  const options = { dataDir, workers: 1, settings: SETTINGS, isWarmedUp: true }
  const second = await startTestService(t, { ...options, log })
  t.match(
    await planned,
    { queries: 2, ms: Number },
    'two requests over these files, and one whose files are gone',
  )
  const before = await summariesOf(second)
  t.equal(before.entries, FILES)
  await ask(t, second, rowsOf('many', 5))
  t.equal((await summariesOf(second)).misses, before.misses)
})

/** Plans what is in a database of metrics. Tells what became of it: the requests that were planned, in their order. */
async function plan(
  t: Test,
  metrics: readonly { query: string; files: number; ms: number }[],
  options: {
    readonly explain?: (query: string, signal: AbortSignal) => unknown
    readonly isBusy?: () => boolean
    readonly signal?: AbortSignal
  } = {},
): Promise<readonly string[]> {
  const database = openMetricsDatabase(join(t.testdir({}), 'metrics.db'))
  const insert = database.prepare(
    `INSERT INTO query_metrics (query_id, username, finished_at, query, input_rows, input_bytes, result_num_rows, result_size_in_bytes, execution_time_ms,
      file_paths, parsed_logical_plan, optimized_logical_plan, node_metrics, stage_times_ms)
    VALUES (?, 'somebody', ?, ?, 0, 0, 0, 0, ?, '[]', '{}', 'null', ?, '{}')`,
  )
  for (const [n, { query, files, ms }] of metrics.entries())
    insert.run(
      String(n),
      n,
      query,
      ms,
      JSON.stringify({ operator: 'Scan', metrics: { files }, children: [] }),
    )
  const planned: string[] = []
  // The timers of what waits for an idle service do not keep a process running.
  const running = setInterval(() => {}, 1000)
  const { explain = () => undefined, isBusy = () => false, signal = new AbortController().signal } = options
  await planLongestQueries(
    {
      database,
      formats: FORMATS,
      caller: SUPER_CALLER,
      isBusy,
      log: { info: () => undefined },
      queries: {
        async explain({ json }, _, signal) {
          const query = JSON.stringify(json)
          await explain(query, signal)
          planned.push(query)
        },
      },
    },
    signal,
  )
  clearInterval(running)
  database.close()
  return planned
}

const request = (folder: string) => JSON.stringify(rowsOf(folder))

t.test('each is planned once, the longest first, and those over few files are not', async (t) => {
  const metrics = [
    { query: request('a'), files: 1000, ms: 10 },
    { query: request('b'), files: 1000, ms: 30 },
    { query: request('few'), files: 255, ms: 99 },
    { query: request('a'), files: 1000, ms: 20 },
    { query: request('c'), files: 256, ms: 15 },
  ]
  t.strictSame(await plan(t, metrics), [request('b'), request('a'), request('c')])
})

t.test('what cannot be planned is passed over', async (t) => {
  const metrics = [
    { query: '{"sql":"DROP TABLE t"}', files: 1000, ms: 50 },
    { query: '{"sql":"SELECT a FROM …","output":null}', files: 1000, ms: 40 },
    { query: 'cut', files: 1000, ms: 30 },
    { query: request('gone'), files: 1000, ms: 20 },
    { query: request('there'), files: 1000, ms: 10 },
  ]
  const explain = (query: string): void => {
    if (query.includes('gone') || query.includes('…')) throw new ServiceError('no_files', 'gone')
  }
  t.strictSame(await plan(t, metrics, { explain }), [request('there')])
})

t.test('it waits while a query is open, and ends with the service', async (t) => {
  const metrics = ['a', 'b', 'c'].map((folder, n) => ({ query: request(folder), files: 1000, ms: 30 - n }))
  const ending = new AbortController()
  let looks = 0
  const isBusy = (): boolean => ++looks < 10
  const explain = (): void => {
    t.ok(looks >= 10, 'a query was open until then')
    ending.abort()
  }
  t.strictSame(await plan(t, metrics, { isBusy, explain, signal: ending.signal }), [request('a')])
  t.strictSame(await plan(t, metrics, { signal: AbortSignal.abort() }), [])
})

t.test(
  'a query that comes has main for itself, and is followed by the one that was being planned',
  async (t) => {
    const metrics = ['a', 'b'].map((folder, n) => ({ query: request(folder), files: 1000, ms: 30 - n }))
    let isOpen = false
    const begun: string[] = []
    async function explain(query: string, signal: AbortSignal): Promise<void> {
      begun.push(query)
      if (begun.length > 1) return
      isOpen = true
      await once(signal, 'abort')
      isOpen = false
      signal.throwIfAborted()
    }
    t.strictSame(await plan(t, metrics, { explain, isBusy: () => isOpen }), [request('a'), request('b')])
    t.strictSame(begun, [request('a'), request('a'), request('b')])
  },
)
