import type { EncodedPlan, WrittenPlan } from '../output/file-plan.ts'
import type { Field } from '../types/schema.ts'
import { type Part, payloadAs } from './part.ts'
import type { WorkerMetrics } from './worker-metrics.ts'

/** The tasks that make files of rows. */
export type FileTask =
  | EncodeTask
  | EncodeEndTask
  | WriterOpenTask
  | WriterRowsTask
  | WriterFinishTask
  | WriterCloseTask
export type FileAnswer = EncodedAnswer | WriterAnswer

/** Makes the bytes of a run of rows, and a summary of them for the end of the file. Any worker may do it: it keeps nothing. */
export interface EncodeTask {
  readonly kind: 'encode'
  readonly plan: EncodedPlan
  /** The columns of the answer. */
  readonly fields: readonly Field[]
  /** Record batches. They are transferred; dictionaries, which parts share, are copied. */
  readonly parts: readonly Part[]
  /** Which of their rows: `rows` of them from row `from` on. */
  readonly from: number
  readonly rows: number
  readonly cancel: SharedArrayBuffer
}

/** Makes the last bytes of a file from the summaries of all runs, in their order. */
export interface EncodeEndTask {
  readonly kind: 'encode_end'
  readonly plan: EncodedPlan
  readonly fields: readonly Field[]
  /** For each run where in the file its bytes begin, and its summary. */
  readonly runs: readonly EncodedRun[]
  /** The bytes of the file so far. */
  readonly at: number
  readonly cancel: SharedArrayBuffer
}

export interface EncodedRun {
  readonly at: number
  readonly summary: Uint8Array
}

export interface EncodedAnswer {
  readonly kind: 'encoded'
  /** The bytes, in their order. Their buffers are transferred. */
  readonly chunks: readonly ArrayBuffer[]
  readonly summary: Uint8Array
  readonly metrics: WorkerMetrics
}

/** Opens a file for writing in the worker that gets this task, where it stays under its key until it is closed. */
export interface WriterOpenTask {
  readonly kind: 'writer_open'
  readonly key: string
  readonly plan: WrittenPlan
  readonly fields: readonly Field[]
  /** Main's descriptor of the temporary file, which is open for reading and writing. */
  readonly descriptor: number
  /** The same of a file for what the writer sets aside, if the plan needs one. */
  readonly spool: number | null
  readonly cancel: SharedArrayBuffer
}

/** Writes rows, in the worker that has the file. The parts are sent as those of `EncodeTask`. */
interface WriterRowsTask {
  readonly kind: 'writer_rows'
  readonly key: string
  readonly parts: readonly Part[]
  readonly cancel: SharedArrayBuffer
}

/** Goes on to complete the file. It is sent again until the answer says that this is done. */
interface WriterFinishTask {
  readonly kind: 'writer_finish'
  readonly key: string
  readonly cancel: SharedArrayBuffer
}

/** Closes a file at any stage. If its key is unknown, it is closed already. */
interface WriterCloseTask {
  readonly kind: 'writer_close'
  readonly key: string
  /** Not that of the query, which may be over. */
  readonly cancel: SharedArrayBuffer
}

export interface WriterAnswer {
  readonly kind: 'writer'
  /** The bytes of the file so far. */
  readonly bytes: number
  /** The bytes of what the writer has set aside in its second file. */
  readonly setAside: number
  /** Whether the file is complete. */
  readonly isDone: boolean
  readonly metrics: WorkerMetrics
}

/** Whether a task makes a file of rows. */
export function isFileTask(task: { readonly kind: string }): task is FileTask {
  return FILE_TASKS.has(task.kind)
}

const FILE_TASKS: ReadonlySet<string> = new Set<FileTask['kind']>([
  'encode',
  'encode_end',
  'writer_open',
  'writer_rows',
  'writer_finish',
  'writer_close',
])

/** The buffers of parts that are transferred with them. Parts that are still to be sent may share the dictionaries. */
export function sentBuffers(parts: readonly Part[]): ArrayBuffer[] {
  return parts.map((part) => payloadAs(part, 'arrow').bytes)
}

/** The buffers of an answer that are transferred. */
export function encodedBuffers({ chunks }: EncodedAnswer): ArrayBuffer[] {
  return [...new Set(chunks)]
}
