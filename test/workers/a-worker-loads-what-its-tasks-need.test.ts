import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t from 'tap'

const SOURCE = new URL('../../src/', import.meta.url).href

/** Runs in a thread: creates a worker as `worker.ts` does, whose own data come from Piscina, and tells which modules that has loaded. */
const LISTING = `
import { registerHooks } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
const loaded = []
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
const { source, limits } = workerData
const { FORMATS } = await import(source + 'plan/formats.ts')
await import(source + 'workers/run-worker.ts')
const { createWorker } = await import(source + 'workers/create-worker.ts')
const { FILTER_LIBRARY } = await import(source + 'workers/formats/filter-library.ts')
const { PROVIDERS } = await import(source + 'workers/formats/providers.ts')
const { FILE_KINDS } = await import(source + 'workers/writers/file-kinds.ts')
createWorker(limits, { formats: FORMATS, providers: PROVIDERS, undoFilter: FILTER_LIBRARY, files: FILE_KINDS })
parentPort.postMessage(loaded)
`

async function modulesOfWorker(): Promise<readonly string[]> {
  const limits = { coreBytes: 4 << 20, sqlBytes: 0, columnBytes: 0, maxChunkBytes: 0 }
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(LISTING)}`), {
    workerData: { source: SOURCE, limits: { ...limits, product: { name: 'service', version: '0' } } },
    execArgv: [],
  })
  const [loaded] = (await once(thread, 'message')) as [readonly string[]]
  await thread.terminate()
  return loaded.flatMap((url) => url.split('/src/workers/')[1] ?? [])
}

t.test('a new worker has loaded no SQL, no writers of NetCDF and no library of HDF5', async (t) => {
  const loaded = await modulesOfWorker()
  t.ok(loaded.includes('formats/parquet/parquet.ts'))
  const unneeded = [
    ...['sql/engine.ts', 'sql/functions/', 'sql/binding/', 'sql/output/'],
    ...['writers/netcdf/', 'writers/grid/', 'formats/hdf5/library/'],
  ]
  for (const start of unneeded)
    t.same(
      loaded.filter((module) => module.startsWith(start)),
      [],
      start,
    )
})
