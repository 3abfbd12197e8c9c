import type { Condition } from '../../src/plan/condition/condition.ts'
import { fromErrorData } from '../../src/plan/errors.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import type { FileFormat } from '../../src/plan/format/file-format.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { documentedFolder, type ObjectVersion } from '../../src/plan/source/object.ts'
import { type FileSummary, segmentsOf } from '../../src/plan/source/segments.ts'
import { ROWS } from '../../src/plan/task/fragment.ts'
import { boundsOfFile } from '../../src/plan/task/inspect.ts'
import { payloadAs } from '../../src/plan/task/part.ts'
import type { InspectAnswer, ScanAnswer, ScanTask } from '../../src/plan/task/task.ts'
import type { WorkerMetrics } from '../../src/plan/task/worker-metrics.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { createWorker, type WorkerParts } from '../../src/workers/create-worker.ts'
import { PROVIDERS } from '../../src/workers/formats/providers.ts'
import type { WorkerState } from '../../src/workers/state/worker-state.ts'
import { perform } from '../../src/workers/tasks/perform.ts'
import { PARQUET } from '../formats/product.ts'

const PARTS = { formats: FORMATS, providers: PROVIDERS }

const NOTHING = { statistics: [], columns: [] } as const

const cancel = new SharedArrayBuffer(4)

/** What is known of one file, and what it took to find out. */
interface Inspected {
  readonly summary: FileSummary
  readonly metrics: WorkerMetrics
}

/** A worker that runs in this thread. */
export interface OneWorker {
  readonly state: WorkerState
  /** Has it give back memory, as when it has been idle. */
  trim(): Promise<void>
  /** Asks what is known of columns of a file of any format. */
  inspect(file: FileRef, format: FileFormat, columns: readonly string[]): Inspected
  /** Asks what is known of files, in one task. */
  inspectTogether(files: readonly FileRef[], format: FileFormat, columns?: readonly string[]): InspectAnswer
  /** Reads columns of one row group. Returns the encoded rows and the metrics of the task. */
  read(
    file: FileRef,
    columns: readonly string[],
    options?: ReadOptions,
  ): {
    readonly bytes: string
    readonly metrics: WorkerMetrics
    /** The objects of a folder that were read, without its documents. */
    readonly objects: readonly ObjectVersion[]
  }
}

export interface ReadOptions {
  readonly segment?: number
  readonly filter?: Condition
  readonly caching?: boolean
  readonly decodedBytes?: number
  /** The types to which columns are widened, by name. */
  readonly widened?: Readonly<Record<string, DataType>>
  /** When the query of a folder was planned. Default: now. Nanoseconds since 1970. */
  readonly plannedAt?: bigint
}

export function oneWorker(
  columnBytes: number,
  { format = PARQUET, ...parts }: Partial<WorkerParts> & { readonly format?: FileFormat } = {},
): OneWorker {
  const worker = createWorker(
    {
      coreBytes: 64 << 20,
      sqlBytes: 0,
      columnBytes,
      maxChunkBytes: 0,
      product: { name: 'service', version: '0' },
    },
    { ...PARTS, ...parts },
  )

  function answerTo<A>(task: Parameters<typeof perform>[0]): A {
    const answer = perform(task, worker)
    if (answer instanceof Promise) throw new TypeError('an answer that is awaited')
    if (answer.kind === 'failed') throw Object.assign(new Error(answer.error.message), answer.error)
    return answer as A
  }

  function inspect(
    file: FileRef,
    of: FileFormat,
    names: { readonly statistics: readonly string[]; readonly columns: readonly string[] },
    caching: boolean,
  ): Inspected {
    const task = {
      kind: 'inspect',
      format: of,
      files: [file],
      ...names,
      areMany: false,
      caching,
      cancel,
    } as const
    const { files, schemas, bounds, metrics } = answerTo<InspectAnswer>(task)
    const [found] = files
    if (found?.kind === 'failed') throw fromErrorData(found.error)
    const [known] = schemas
    if (found?.kind !== 'summary' || known === undefined) throw new TypeError(`no summary of "${file.path}"`)
    const whole = boundsOfFile(bounds, 0)
    const { segments } = found.summary
    if (segments === undefined) throw new TypeError(`no segments of "${file.path}"`)
    const summary = { ...found.summary, schema: known.schema, segments, ...(whole.length > 0 && { whole }) }
    return { summary, metrics }
  }

  return {
    state: worker.state,
    async trim() {
      await perform({ kind: 'trim' }, worker)
    },
    inspectTogether: (files, of, columns = []) => {
      const names = { statistics: [], columns }
      return answerTo({ kind: 'inspect', format: of, files, ...names, areMany: true, caching: true, cancel })
    },
    inspect: (file, of, columns) => inspect(file, of, { statistics: columns, columns }, true),
    read(file, names, options = {}) {
      const { segment = 0, filter, caching = true, decodedBytes = 1000, widened = {} } = options
      const { summary } = inspect(file, format, NOTHING, caching)
      const columns = summary.schema.fields.map(({ name, type }) => ({ name, type: widened[name] ?? type }))
      const rows = segmentsOf(summary.segments)[segment]?.rows ?? 0
      const task: ScanTask = {
        kind: 'scan',
        key: 'a',
        scan: {
          format,
          columns,
          filter: filter ?? null,
          projection: names.map((name) => {
            const type = columns.find((each) => each.name === name)?.type ?? { kind: 'null' }
            return { expression: columnExpression(name, type), field: field(name, type) }
          }),
        },
        file: plannedAs(file, summary, options.plannedAt ?? BigInt(Date.now()) * 1_000_000n),
        unit: { kind: 'rows', file: 0, segment, from: 0, to: rows, decodedBytes },
        fragment: ROWS,
        more: [],
        resume: 0,
        skip: 0,
        take: Number.POSITIVE_INFINITY,
        encoding: 'arrow',
        claim: null,
        tellsObjects: true,
        answerBytes: Number.POSITIVE_INFINITY,
        caching,
        cancel,
      }
      const { parts, metrics, objects } = answerTo<ScanAnswer>(task)
      return {
        bytes: parts.map((part) => Buffer.from(payloadAs(part, 'arrow').bytes).toString('hex')).join(' '),
        metrics,
        objects: objects ?? [],
      }
    },
  }
}

/** The scan of a query, planned from what `inspect` returns. */
function plannedAs(file: FileRef, { documents = [] }: FileSummary, plannedAt: bigint): FileRef {
  if (file.folder === undefined) return file
  const folder = documentedFolder(file.location, file.folder.marker, file.version, documents)
  return { ...file, folder: { ...folder, plannedAt } }
}
