import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { untilSettled } from '../support/settled.ts'
import { type ArrayToWrite, type Layout, writeObjects, zarrObjects } from './write-zarr.ts'

const LAYOUTS: Readonly<Record<string, Layout>> = {
  'version 3': { version: 3, isCompressed: true },
  'version 3, consolidated, in shards': {
    version: 3,
    isCompressed: true,
    isConsolidated: true,
    chunksOfShard: 2,
  },
  'version 2': { version: 2, isCompressed: true },
}

/** Queries of `time` and `v` where `time` is 2 or more, by the way in which they run. */
const FORMS: Readonly<Record<string, object>> = {
  JSON: {
    from: { zarr: { paths: ['x.zarr'] } },
    select: ['time', 'v'],
    filter: { column: 'time', gt_eq: 2 },
  },
  SQL: { sql: "SELECT time, v FROM read_zarr('x.zarr', ['v']) WHERE time >= 2" },
  DuckDB: { sql: "SELECT time, v + 0 * row_number() OVER () AS v FROM read_zarr('x.zarr') WHERE time >= 2" },
}

interface State {
  readonly times: readonly number[]
  /** The values at each time. */
  readonly values: readonly number[]
  readonly attributes?: ArrayToWrite['attributes']
  readonly absent?: ArrayToWrite['absent']
}

/** Chunks have two times each. `v` has a second dimension, so that it is no coordinate. */
function arraysOf({ times, values, attributes = {}, absent }: State): ArrayToWrite[] {
  return [
    {
      name: 'time',
      dimensions: ['time'],
      shape: [times.length],
      chunk: [2],
      values: Float64Array.from(times),
    },
    {
      name: 'v',
      dimensions: ['time', 'x'],
      shape: [values.length, 1],
      chunk: [2, 1],
      values: Float64Array.from(values),
      attributes,
      fill: -1,
      ...(absent && { absent }),
    },
  ]
}

const BEGIN: State = { times: [0, 1, 2, 3], values: [10, 11, 12, 13] }

const LAST: State = {
  times: [5, 6, 0, 1, 4],
  values: [7, 8, 22, 23, 9],
  attributes: { scale_factor: 10 },
}

/** What a writer makes of the store, one after the other. */
const CHANGES: Readonly<Record<string, State>> = {
  'a chunk is written anew': { ...BEGIN, values: [10, 11, 22, 23] },
  'the chunks of a coordinate are written anew': { ...BEGIN, times: [5, 6, 0, 1], values: [10, 11, 22, 23] },
  'a chunk is removed': { ...BEGIN, times: [5, 6, 0, 1], values: [-1, -1, 22, 23], absent: new Set([0]) },
  'a chunk is there where none was': { times: [5, 6, 0, 1], values: [7, 8, 22, 23] },
  'an array gets attributes that change what its values mean': {
    times: [5, 6, 0, 1],
    values: [7, 8, 22, 23],
    attributes: { scale_factor: 10 },
  },
  'times are appended': LAST,
}

/** Rows as numbers: a value that is absent is null in version 2. */
function expected({ times, values, attributes }: State, { version }: Layout): (number | null)[][] {
  const factor = Number(attributes?.['scale_factor'] ?? 1)
  return times.flatMap((time, row) => {
    const value = values[row] ?? 0
    return time >= 2 ? [[time, version === 2 && value === -1 ? null : value * factor]] : []
  })
}

/** Writes those objects of a state that differ, and removes those that it does not have. */
function writeState(folder: string, state: State, layout: Layout, before: ReadonlyMap<string, Uint8Array>) {
  const objects = zarrObjects(arraysOf(state), layout)
  const changed = [...objects].filter(([key, bytes]) => !Buffer.from(before.get(key) ?? []).equals(bytes))
  writeObjects(folder, new Map(changed))
  for (const key of before.keys()) if (!objects.has(key)) rmSync(join(folder, key))
  return objects
}

for (const [name, layout] of Object.entries(LAYOUTS))
  t.test(name, async (t) => {
    const service = await startTestService(t)
    const folder = join(service.datasets, 'x.zarr')
    mkdirSync(folder)
    const check = async (state: State, what: string): Promise<void> => {
      for (const [form, query] of Object.entries(FORMS)) {
        const rows = (await service.rows(query)).toArray().map((row) => [row?.['time'], row?.['v']])
        t.same(rows, expected(state, layout), `${what}: ${form}`)
      }
    }
    let objects = writeState(folder, BEGIN, layout, new Map())
    await untilSettled(folder)
    await check(BEGIN, 'at first')
    for (const [what, state] of Object.entries(CHANGES)) {
      objects = writeState(folder, state, layout, objects)
      await check(state, what)
      // From here on answers and metadata may be kept.
      await untilSettled(folder)
      await check(state, `${what}, once it is settled`)
      await check(state, `${what}, kept`)
    }
    if (layout.isConsolidated === true) return
    const names = async (): Promise<readonly string[]> => {
      const { schema } = await service.rows({ sql: "SELECT * FROM read_zarr('x.zarr') LIMIT 1" })
      return schema.fields.map((each) => each.name)
    }
    t.notOk((await names()).includes('other'))
    const others = arraysOf(LAST).map((each) => (each.name === 'v' ? { ...each, name: 'other' } : each))
    const added = [...zarrObjects(others, layout)].filter(([key]) => key.startsWith('other/'))
    writeObjects(folder, new Map(added))
    t.ok((await names()).includes('other'), 'an array that is added')
    rmSync(join(folder, 'other'), { recursive: true })
    t.notOk((await names()).includes('other'), 'an array that is removed')
  })
