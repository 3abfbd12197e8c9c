import t from 'tap'
import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import { createSummaries } from '../../src/main/query/source/summaries/summaries.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import type { InspectedFile, InspectTask } from '../../src/plan/task/inspect.ts'
import { field } from '../../src/plan/types/schema.ts'
import { NO_METRICS } from '../dispatch/tasks.ts'
import { PARQUET } from '../formats/product.ts'

const NOTHING = { statistics: [], columns: [] }
const FLOAT = { kind: 'float', bits: 64 } as const

/** A file that has not changed for long. */
function fileOf(number: number, bytes: number, mtimeNs = 1n): FileRef {
  const version = { device: 1n, inode: BigInt(number), size: BigInt(bytes), mtimeNs, ctimeNs: mtimeNs }
  return { path: `f${number}`, location: `/f${number}`, version }
}

function filesOf(count: number, bytes: number): readonly FileRef[] {
  return Array.from({ length: count }, (_, number) => fileOf(number, bytes))
}

/** Summaries whose workers answer in this thread: the first `most` files of each task. Damaged are the files that are in `damaged`. */
function start({ most = Number.POSITIVE_INFINITY, workers = 2 } = {}) {
  const tasks: InspectTask[] = []
  const damaged = new Set<string>()
  const inspected = ({ path }: FileRef): InspectedFile =>
    damaged.has(path)
      ? { kind: 'failed', error: { code: 'unreadable_file', message: `"${path}" is damaged.` } }
      : { kind: 'summary', schema: 0, summary: { segments: { kind: 'list', segments: [] }, statistics: {} } }
  const ticket = {
    waitFor: <T>(shared: Promise<T>) => shared,
    caching: true,
    cancel: new SharedArrayBuffer(4),
    async run(task: InspectTask) {
      tasks.push(task)
      const schemas = [{ digest: 'a', schema: { fields: [field('x', FLOAT)], metadata: {} } }]
      const files = task.files.slice(0, most).map(inspected)
      const bounds = { ends: new Uint32Array(files.length), entries: new Uint8Array(0) }
      return {
        answer: { kind: 'inspected', schemas, layouts: [], files, bounds, metrics: NO_METRICS },
        worker: 0,
        queueMs: 0,
      }
    },
  } as unknown as Ticket
  const summaries = createSummaries(workers)
  return {
    damaged,
    of: (files: readonly FileRef[]) => summaries.of(PARQUET, files, NOTHING, ticket, () => {}),
    /** The tasks since the last call. */
    tasks: () => tasks.splice(0),
  }
}

function pathsOf(tasks: readonly InspectTask[]): readonly string[] {
  return tasks.flatMap(({ files }) => files.map(({ path }) => path))
}

t.test('up to 256 files or 4 MiB in one task', async (t) => {
  const { of, tasks } = start()
  const small = filesOf(3000, 10_000)
  const { summaries } = await of(small)
  t.equal(summaries.length, 3000)
  t.equal(new Set(summaries.map(({ schema }) => schema)).size, 1, 'one object for equal schemas')
  const asked = tasks()
  t.same(new Set(pathsOf(asked)), new Set(small.map(({ path }) => path)))
  t.equal(pathsOf(asked).length, 3000, 'each file once')
  t.equal(Math.max(...asked.map(({ files }) => files.length)), 256)
  t.equal(asked.length, 12)

  const { of: ofLarge, tasks: ofLargeFiles } = start()
  await ofLarge(filesOf(90, 1 << 20))
  t.equal(Math.max(...ofLargeFiles().map(({ files }) => files.length)), 4)
  await ofLarge(filesOf(3, 1 << 30).map((file, number) => ({ ...file, ...fileOf(1000 + number, 1 << 30) })))
  t.same(
    ofLargeFiles().map(({ files }) => files.length),
    [1, 1, 1],
  )
})

t.test('few files are divided among the workers', async (t) => {
  const { of, tasks } = start({ workers: 2 })
  await of(filesOf(8, 10_000))
  t.equal(tasks().length, 8)
  await of(filesOf(32, 20_000))
  t.equal(tasks().length, 8)
})

t.test('a task that ends early is gone on with', async (t) => {
  const { of, tasks } = start({ most: 7 })
  const { summaries } = await of(filesOf(500, 10_000))
  t.equal(Array.from(summaries).filter((each) => each !== undefined).length, 500)
  t.ok(tasks().length >= 500 / 7)
})

t.test('a damaged file is named, and the others are not inspected again', async (t) => {
  const { of, tasks, damaged } = start()
  const files = filesOf(2000, 10_000)
  for (const number of [100, 600, 601]) damaged.add(`f${number}`)
  await t.rejects(of(files), { code: 'unreadable_file', message: '"f100" is damaged.' })
  const before = new Set(pathsOf(tasks()).filter((path) => !damaged.has(path)))
  t.ok(before.has('f101') && before.has('f255'), 'those behind it in its task too')
  damaged.clear()
  await of(files)
  t.notOk(pathsOf(tasks()).some((path) => before.has(path)))
  await of(files)
  t.same(tasks(), [])
  const changed = files.with(5, fileOf(5, 10_000, 2n))
  await of(changed)
  t.same(pathsOf(tasks()), ['f5'], 'a file that has changed is inspected alone')
})
