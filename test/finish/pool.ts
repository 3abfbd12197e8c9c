import { mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import type { Test } from 'tap'
import { createScheduler, type Scheduler } from '../../src/main/dispatch/scheduler.ts'
import { schemaMessage } from '../../src/main/output/arrow/arrow-schema.ts'
import { createTempFolder, type TempFolder } from '../../src/main/output/temp/temp-folder.ts'
import { prepareScan } from '../../src/main/query/plan/prepare-scan.ts'
import { createBudget } from '../../src/main/query/run/rows/budget.ts'
import { type RowsOptions, rowsOf } from '../../src/main/query/run/rows/rows.ts'
import type { FilesTable } from '../../src/main/query/source/files-table.ts'
import { mergedSchema } from '../../src/main/query/source/schema/merge-schema.ts'
import { createSummaries } from '../../src/main/query/source/summaries/summaries.ts'
import { END_OF_STREAM } from '../../src/plan/arrow/ipc.ts'
import type { FileFormat } from '../../src/plan/format/file-format.ts'
import type { ScanPlan } from '../../src/plan/plan.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { payloadAs } from '../../src/plan/task/part.ts'
import type { WorkerMetrics } from '../../src/plan/task/worker-metrics.ts'
import { columnValues, type Value } from '../formats/values.ts'

/** Workers, and a way to run plans on them as the query service does. */
export interface Pool {
  readonly scheduler: Scheduler
  readonly tempFolder: TempFolder
  /** The files of a folder, in the order of their names. */
  table(folder: string, format: FileFormat): Promise<FilesTable>
  /** `batchRows`: the most rows that one task reads. */
  run(plan: ScanPlan, table: FilesTable, options?: RunOptions): Promise<Answered>
}

type RunOptions = Partial<RowsOptions> & { readonly batchRows?: number }

export interface Answered {
  /** The bytes of the Arrow stream, or of the CSV. */
  readonly bytes: Buffer
  /** The rows of an Arrow stream. */
  readonly rows: readonly (readonly Value[])[]
  readonly metrics: readonly WorkerMetrics[]
  readonly pruned: number
}

const MIB = 1 << 20

/** Real workers, which are stopped when the test ends. */
export function startPool(t: Test, workers: number, coreBytes = 128 * MIB, columnBytes = 0): Pool {
  const scheduler = createScheduler({
    workers,
    product: { name: 'service', version: '0' },
    entry: new URL('../../src/workers/worker.ts', import.meta.url),
    limits: {
      coreBytes,
      heapMegabytes: 128,
      taskMs: 60_000,
      statementMs: 60_000,
      sqlBytes: 0,
      columnBytes,
      engineColumnBytes: 0,
      maxChunkBytes: 0,
    },
    maximumQueries: 100,
    onWorkerFailure: () => {},
    onWorkerReplaced: () => {},
  })
  t.teardown(() => scheduler.close())
  const summaries = createSummaries(workers)
  let queries = 0
  const tempFolder = tempFolderOf(t)
  return {
    scheduler,
    tempFolder,
    async table(folder, format) {
      const files = readdirSync(folder)
        .sort()
        .map((name) => fileRef(join(folder, name)))
      const ticket = scheduler.admit()
      const { summaries: known } = await summaries.of(
        format,
        files,
        { statistics: [], columns: [] },
        ticket,
        () => {},
      )
      ticket.release()
      const relation = format.kind
      return {
        relation,
        format,
        files,
        schema: (await mergedSchema(format, files, known)).schema,
        summaries: known,
        unlisted: null,
        isNarrowed: false,
      }
    },
    async run(plan, table, options) {
      const ticket = scheduler.admit()
      const metrics: WorkerMetrics[] = []
      try {
        const batch = options?.batchRows
          ? { rows: options.batchRows, bytes: Number.POSITIVE_INFINITY }
          : undefined
        const prepared = await prepareScan(
          plan,
          table,
          { summaries, ticket, onAnswer() {}, onObjects() {} },
          batch,
        )
        let { pruned } = prepared
        const parts = rowsOf(prepared, {
          id: `q${queries++}`,
          encoding: 'arrow',
          ticket,
          scheduler,
          heldBytes: coreBytes,
          holding: createBudget(coreBytes).open(),
          cursorIdleMs: 1000,
          tempFolder,
          onAnswer: (answer) => metrics.push(answer.metrics),
          renew: () => Promise.reject(new Error('no statement is run here')),
          onIdle() {},
          onPruned(units) {
            pruned += units
          },
          ...options,
        })
        const isStream = options?.encoding !== 'csv'
        const messages: Buffer[] = isStream ? [schemaMessage(plan.output)] : []
        for await (const part of parts)
          messages.push(Buffer.from(payloadAs(part, isStream ? 'arrow' : 'text').bytes))
        if (isStream) messages.push(END_OF_STREAM)
        const bytes = Buffer.concat(messages)
        return { bytes, rows: isStream ? rowsIn(bytes) : [], metrics, pruned }
      } finally {
        ticket.release()
      }
    },
  }
}

/** A folder of temporary files. The test fails if one of them has a name when it ends. */
function tempFolderOf(t: Test, outputBytes = 1 << 30): TempFolder {
  const folder = mkdtempSync(join(tmpdir(), 'halocline-sort-'))
  t.teardown(() => rmdirSync(folder))
  return createTempFolder(folder, { outputBytes, totalBytes: 1 << 30, reservedBytes: 0 })
}

function fileRef(location: string): FileRef {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(location, { bigint: true })
  return { path: location, location, version: { device: dev, inode: ino, size, mtimeNs, ctimeNs } }
}

function rowsIn(bytes: Buffer): readonly (readonly Value[])[] {
  const table = tableFromIPC(bytes)
  const columns = columnValues(table)
  return Array.from({ length: table.numRows }, (_, row) => columns.map((column) => column[row] ?? null))
}
