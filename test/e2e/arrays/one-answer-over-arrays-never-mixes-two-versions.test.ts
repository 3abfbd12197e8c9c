import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { tableFromIPC } from 'apache-arrow'
import h5wasm from 'h5wasm/node'
import t from 'tap'
import { writeClassic } from '../../netcdf/write-classic.ts'
import { startTestService, type TestService } from '../service.ts'

const ROWS = 40_000
const VERSIONS = 9

/** Each version has one row more than the one before, and other values in all of its arrays. */
const rowsOf = (version: number): number => ROWS + version
const firstOf = (version: number): number => version * 100_000

function classic(version: number): Uint8Array {
  const rows = rowsOf(version)
  const [values, numbers] = [Buffer.alloc(4 * rows), Buffer.alloc(4 * rows)]
  for (let row = 0; row < rows; row++) {
    values.writeInt32BE(firstOf(version) + row, 4 * row)
    numbers.writeInt32BE(version, 4 * row)
  }
  const variable = { type: 4, attributes: [], dimensions: [0] }
  return writeClassic({
    version: 2,
    records: rows,
    dimensions: [{ name: 'row', size: 0 }],
    attributes: [],
    variables: [
      { ...variable, name: 'v', bytes: values },
      { ...variable, name: 'version', bytes: numbers },
    ],
  })
}

async function chunked(folder: string, version: number): Promise<Uint8Array> {
  await h5wasm.ready
  const rows = rowsOf(version)
  const location = join(folder, `made-${version}`)
  const file = new h5wasm.File(location, 'w', { libver: [version % 3 === 0 ? 'earliest' : 'v110', 'latest'] })
  const values = Int32Array.from({ length: rows }, (_, row) => firstOf(version) + row)
  const storage = { shape: [rows], compression: 'gzip' as const, compression_opts: 1 }
  file.create_dataset({ name: 'v', data: values, chunks: [1000 + version], ...storage })
  file.create_dataset({
    name: 'version',
    data: new Int32Array(rows).fill(version),
    chunks: [3000],
    ...storage,
  })
  file.close()
  return readFileSync(location)
}

/** The version of an answer, which must be one whole version of the file. Null: the query failed, or the answer broke off. */
async function versionOf(
  t: Pick<typeof import('tap').default, 'fail'>,
  service: TestService,
  sql: string,
): Promise<number | null> {
  const response = await service.query({ sql })
  const bytes = await response.arrayBuffer().catch(() => null)
  if (response.status === 500) t.fail(Buffer.from(bytes ?? new ArrayBuffer()).toString())
  if (response.status !== 200 || bytes === null) return null
  const table = tableFromIPC(new Uint8Array(bytes))
  const [values, versions] = ['v', 'version'].map((name) => table.getChild(name)?.toArray() as Int32Array)
  const version = versions?.[0] ?? -1
  const isWhole =
    values?.length === rowsOf(version) &&
    values.every((value, row) => value === firstOf(version) + row) &&
    versions?.every((each) => each === version)
  if (!isWhole) t.fail(`a mixture: ${values?.length} rows from version ${version}`)
  return version
}

for (const [name, read] of [
  ['a.nc', 'read_netcdf'],
  ['a.h5', 'read_hdf5'],
] as const)
  t.test(`${name} is replaced and rewritten while it is queried`, async (t) => {
    const service = await startTestService(t, { workers: 2 })
    const path = join(service.datasets, name)
    const all = await Promise.all(
      Array.from({ length: VERSIONS + 1 }, (_, version) =>
        name === 'a.nc' ? classic(version) : chunked(service.dataDir, version),
      ),
    )
    const write = (version: number): void => {
      const inPlace = version % 2 === 0
      writeFileSync(inPlace ? path : `${path}.new`, all[version] ?? '')
      if (!inPlace) renameSync(`${path}.new`, path)
    }
    write(1)
    const core = `SELECT v, version FROM ${read}('${name}')`
    const byDuckdb = `WITH unused AS (SELECT 1) ${core}`
    let isWriting = true
    let whole = 0
    const clients = Array.from({ length: 4 }, async (_, client) => {
      while (isWriting)
        if ((await versionOf(t, service, client % 2 === 0 ? core : byDuckdb)) !== null) whole++
    })
    for (let version = 2; version <= VERSIONS; version++) {
      // Time itself: each version of the file exists for the time of some queries.
      await setTimeout(450)
      write(version)
    }
    isWriting = false
    await Promise.all(clients)
    t.ok(whole > 0, `${whole} whole answers`)
    for (const sql of [core, byDuckdb])
      t.equal(await versionOf(t, service, sql), VERSIONS, 'the last version is seen by the next query')
  })
