import type { Test } from 'tap'
import { createScheduler, type Scheduler } from '../../../src/main/dispatch/scheduler.ts'
import { createFigures } from '../../../src/main/history/figures.ts'
import type { Delivered } from '../../../src/main/output/body.ts'
import type { Delivery, Files } from '../../../src/main/output/deliver.ts'
import { createGatherBudget } from '../../../src/main/output/files/gather-budget.ts'
import type { PreparedOutput } from '../../../src/main/output/output-format.ts'
import {
  createTempFolder,
  type TempFolder,
  type TempLimits,
} from '../../../src/main/output/temp/temp-folder.ts'
import type { Part } from '../../../src/plan/task/part.ts'
import type { Field } from '../../../src/plan/types/schema.ts'

/** Workers that make files by `toy-kinds.ts`, and a folder for the files. */
export interface Sinks {
  readonly scheduler: Scheduler
  readonly folder: TempFolder
  /** The path of the folder. */
  readonly path: string
  /** Delivers parts as one query. It ends with the delivery. */
  deliver(output: PreparedOutput, fields: readonly Field[], parts: AsyncIterable<Part>): Promise<Delivered>
}

export function startSinks(
  t: Test,
  { workers = 2, ...limits }: Partial<TempLimits> & { readonly workers?: number } = {},
): Sinks {
  const scheduler = createScheduler({
    workers,
    product: { name: 'service', version: '0' },
    entry: new URL('./toy-worker.ts', import.meta.url),
    limits: {
      coreBytes: 128 << 20,
      heapMegabytes: 128,
      taskMs: 60_000,
      statementMs: 60_000,
      sqlBytes: 0,
      columnBytes: 0,
      engineColumnBytes: 0,
      maxChunkBytes: 0,
    },
    maximumQueries: 10,
    onWorkerFailure: () => {},
    onWorkerReplaced: () => {},
  })
  t.teardown(() => scheduler.close())
  const path = t.testdir({})
  const folder = createTempFolder(path, {
    outputBytes: 1 << 30,
    totalBytes: 1 << 30,
    reservedBytes: 0,
    ...limits,
  })
  let queries = 0
  const gathering = createGatherBudget()
  return {
    scheduler,
    folder,
    path,
    async deliver(output, fields, parts) {
      const ticket = scheduler.admit()
      const delivery: Delivery = {
        id: `query ${queries++}`,
        ticket,
        gathering,
        workers: scheduler.workers,
        schema: { fields, metadata: {} },
        parts: generated(parts),
        figures: createFigures(),
        onAnswer: () => {},
        emptyBatch: () => Promise.reject(new TypeError('a file has no empty batch')),
        complete: async () => ticket.release(),
        onIdle: () => {},
      }
      const files: Files = { folder, holdMs: 0, idleMs: 60_000 }
      try {
        return await output.deliver(delivery, files)
      } catch (error) {
        ticket.release()
        throw error
      }
    },
  }
}

async function* generated(parts: AsyncIterable<Part>): AsyncGenerator<Part, void, undefined> {
  yield* parts
}

/** All bytes of an answer. */
export async function bytesOf(delivered: Delivered): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (;;) {
    const chunk = await delivered.next()
    if (chunk === null) return Buffer.concat(chunks)
    chunks.push(chunk)
  }
}
