import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Table, tableFromIPC } from 'apache-arrow'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { startTestService, type TestService } from '../e2e/service.ts'
import { type ArrayToWrite, type Layout, zarrObjects } from './write-zarr.ts'

const READERS = 64
const VERSIONS = 4

/** Steps of a store when it is new. Each version appends another one. */
const STEPS = 8

/** Cells of a step. */
const CELLS = 4

const LAYOUTS: Readonly<Record<string, Layout>> = {
  plain: { version: 3, isCompressed: true, isConsolidated: true },
  sharded: { version: 3, chunksOfShard: 2, isConsolidated: true },
  'of version 2': { version: 2, isConsolidated: true },
}

const FORMS = {
  JSON: { from: { zarr: { paths: ['x.zarr'] } }, select: ['time', 'v'] },
  SQL: { sql: "SELECT time, v FROM read_zarr('x.zarr') WHERE time >= 0" },
  DuckDB: { sql: "SELECT time, v FROM read_zarr('x.zarr') WHERE random() >= 0" },
  statistics: { sql: "SELECT time, v FROM read_zarr('x.zarr', ['v']) WHERE v >= 0" },
  groups: { sql: "SELECT time, v FROM read_zarr('x.zarr') GROUP BY time, v ORDER BY time" },
}

/** The arrays of a store with so many steps, in which all cells of `v` have one value. */
function arraysOf(steps: number, value: number): readonly ArrayToWrite[] {
  const time = Int32Array.from({ length: steps }, (_, step) => step)
  const v = new Int32Array(steps * CELLS).fill(value)
  return [
    { name: 'time', dimensions: ['time'], shape: [steps], chunk: [1], values: time },
    { name: 'v', dimensions: ['time', 'x'], shape: [steps, CELLS], chunk: [1, CELLS], values: v },
  ]
}

/**
 * The version of the first step in an answer. Null: the query was refused or broke off. Fails the test unless the answer is one
 * state of the store: steps are rewritten one after the other, so in every state the first ones have one version, and the others
 * the version before.
 */
async function stateOf(t: Test, service: TestService, form: keyof typeof FORMS): Promise<number | null> {
  const response = await service.query(FORMS[form])
  if (response.status !== 200) {
    const text = await response.text()
    if (response.status !== 400) t.fail(`${form}: ${response.status} ${text}`)
    return null
  }
  const bytes = await response.arrayBuffer().catch(() => null)
  if (bytes === null) return null
  const table = tableFromIPC(new Uint8Array(bytes))
  const [times, values] = [numbersIn(table, 'time'), numbersIn(table, 'v')]
  const [first = -1] = values
  const cells = form === 'groups' ? 1 : CELLS
  const isState =
    values.every((value, row) => value <= (values[row - 1] ?? first) && value >= first - 1) &&
    times.every((time, row) => time === Math.floor(row / cells)) &&
    // Each version appends a step when it has rewritten all others.
    [STEPS + first, STEPS + first - 1].includes(times.length / cells)
  if (!isState) t.fail(`${form} gives a mixture: ${times.join()}; ${values.join()}`)
  return first
}

function numbersIn(table: Table, name: string): number[] {
  return [...(table.getChild(name) ?? [])].map(Number)
}

/** What the log tells of a query. */
interface LoggedQuery {
  readonly outcome?: string
  readonly code?: string
  readonly message?: string
}

/** Whether a query may fail because its store is rewritten: it saw that, or a document or a chunk that was half written. */
function isOfChange({ code, message = '' }: LoggedQuery): boolean {
  return code === 'file_changed' || (code === 'unreadable_file' && message.includes('cannot be read as Zarr'))
}

for (const [name, layout] of Object.entries(LAYOUTS))
  t.test(`that is ${name}, and rewritten and appended to under ${READERS} readers`, async (t) => {
    const queries: LoggedQuery[] = []
    const log = pino({}, { write: (line) => queries.push(JSON.parse(line)) })
    const service = await startTestService(t, { log })
    const store = join(service.datasets, 'x.zarr')

    const write = (key: string, bytes: Uint8Array, isInPlace: boolean): void => {
      const file = join(store, key)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(isInPlace ? file : `${store}.new`, bytes)
      if (!isInPlace) renameSync(`${store}.new`, file)
    }
    const isMetadata = (key: string): boolean => /(?:^|\/)(?:zarr\.json|\.z\w+)$/.test(key)

    for (const [key, bytes] of zarrObjects(arraysOf(STEPS, 0), layout)) write(key, bytes, true)
    let isWriting = true
    let answered = 0
    const forms = Object.keys(FORMS) as (keyof typeof FORMS)[]
    const readers = Array.from({ length: READERS }, async (_, reader) => {
      const form = forms[reader % forms.length] ?? 'SQL'
      while (isWriting) if ((await stateOf(t, service, form)) !== null) answered++
    })
    for (let version = 1; version <= VERSIONS; version++) {
      const steps = STEPS + version - 1
      const isInPlace = version % 2 === 0
      for (const [key, bytes] of zarrObjects(arraysOf(steps, version), layout)) {
        if (!/^v\/(?:c\/)?\d/.test(key)) continue
        write(key, bytes, isInPlace)
        // Time itself: some queries run in each state.
        if (Number(key.match(/\d+/)?.[0]) % 3 === 0) await setTimeout(20)
      }
      const longer = zarrObjects(arraysOf(steps + 1, version), layout)
      for (const [key, bytes] of longer) if (!isMetadata(key)) write(key, bytes, isInPlace)
      // Those of arrays first: of consolidated metadata, the document of the store is all that counts.
      for (const [key, bytes] of [...longer].reverse()) if (isMetadata(key)) write(key, bytes, false)
    }
    isWriting = false
    await Promise.all(readers)
    t.ok(answered > 0)
    for (const form of forms)
      t.equal(await stateOf(t, service, form), VERSIONS, 'the last state is seen by the next query')
    for (const [comparison, cells] of [
      ['>=', (STEPS + VERSIONS) * CELLS],
      ['<', 0],
    ] as const) {
      const table = await service.rows({
        sql: `SELECT time FROM read_zarr('x.zarr', ['v']) WHERE v ${comparison} ${VERSIONS}`,
      })
      t.equal(table.numRows, cells, 'and statistics of chunks are those of that state')
    }
    // Each query has been logged when the service has stopped.
    await service.close()
    t.ok(queries.some(({ outcome }) => outcome === 'done'))
    t.same(
      queries.filter((query) => query.outcome === 'failed' && !isOfChange(query)),
      [],
    )
  })
