// In a process of its own: it lists the open files.
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import t from 'tap'
import { TEMP_NAME } from '../../../../src/main/output/temp/temp-file.ts'
import { OPTIONS } from '../../../output/odv/odv-service.ts'
import { type Told, toldOn } from '../../../support/told.ts'
import { until } from '../../../support/until.ts'
import { startTestService } from '../../service.ts'
import { GATE, TASKS } from '../../workers/told-tasks.ts'

const gate = new BroadcastChannel(GATE)
t.teardown(() => gate.close())
const { query, datasets, dataDir } = await startTestService(t, {
  workers: 2,
  worker: new URL('../../workers/worker-that-stops-in-files.ts', import.meta.url),
})
const rows = Array.from({ length: 300 }, (_, i) => `${i},${i * 0.5},c${i % 7},2024-01-01T00:00:00,5,60,${i}`)
writeFileSync(join(datasets, 'rows.csv'), ['n,temp,cruise,time,lon,lat,depth', ...rows, ''].join('\n'))

/** How each file is asked for, when it has the column of a name. */
const FORMATS: Readonly<Record<string, (column: string) => string | object>> = {
  parquet: () => 'parquet',
  netcdf: () => 'netcdf',
  nd_netcdf: (column) => ({ nd_netcdf: { dimension_columns: [column] } }),
  odv: (column) => ({ odv: { ...OPTIONS, meta_columns: [{ column_name: column }] } }),
}

/** The kinds of the tasks that make each of them. */
const STAGES: readonly (readonly [format: string, kinds: readonly string[]])[] = [
  ['parquet', ['encode', 'encode_end']],
  ['netcdf', ['writer_open', 'writer_rows', 'writer_finish', 'writer_close']],
  ['nd_netcdf', ['writer_open', 'writer_rows', 'writer_finish', 'writer_close']],
  ['odv', ['encode']],
]

const NUMBERS = 'lon, lat, depth, temp'

function ask(format: string, column: string, signal?: AbortSignal): Promise<Response> {
  const options = FORMATS[format]?.(column)
  const columns = format === 'nd_netcdf' ? NUMBERS : `cruise, time, ${NUMBERS}`
  const sql = `SELECT n AS ${column}, ${columns} FROM read_csv('rows.csv')`
  return query({ sql, output: { format: options } }, signal ? { signal } : {})
}

/** Waits until a worker has come to a task of a kind. Rejects if there is an answer before. */
async function comesTo(kind: string, told: Told, answer: Promise<Response>): Promise<void> {
  const early = answer.then(async (response) => {
    throw new Error(`${response.status}: ${await response.clone().text()}`)
  })
  await Promise.race([told(kind), early])
}

/** The temporary files that this process has open: they have no name any more. */
function openFiles(): readonly string[] {
  const folder = join(dataDir, 'tmp')
  return readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      const { dir, base } = parse(readlinkSync(`/proc/self/fd/${number}`))
      return dir === folder && TEMP_NAME.test(base.replace(/ \(deleted\)$/, '')) ? [base] : []
    } catch {
      return []
    }
  })
}

const nothingIsOpen = (): Promise<true> => until('temporary files are closed', () => openFiles().length === 0)

for (const [format, kinds] of STAGES) {
  for (const kind of kinds) {
    t.test(`${format}: a client that leaves at ${kind} leaves no file`, async (t) => {
      const leaving = new AbortController()
      const told = toldOn(t, TASKS)
      const answer = ask(format, `at_${kind}`, leaving.signal)
      await comesTo(kind, told, answer)
      t.ok(openFiles().length > 0)
      leaving.abort()
      await t.rejects(answer)
      gate.postMessage('go')
      await nothingIsOpen()
    })

    t.test(`${format}: a worker that dies at ${kind} leaves no file`, async (t) => {
      const told = toldOn(t, TASKS)
      const answer = ask(format, `at_${kind}`)
      await comesTo(kind, told, answer)
      gate.postMessage('die')
      const { status } = await answer
      t.equal(status, 500, String(await (await answer).text()))
      await nothingIsOpen()
    })
  }

  t.test(`${format}: the next one is whole`, async (t) => {
    const answer = await ask(format, 'n')
    t.equal(answer.status, 200, format)
    t.equal(Number(answer.headers.get('content-length')), (await answer.arrayBuffer()).byteLength)
    await nothingIsOpen()
  })
}
