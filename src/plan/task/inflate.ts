import type { FileRef } from '../source/file.ts'
import type { Compression } from '../source/plain-bytes.ts'
import type { WorkerMetrics } from './worker-metrics.ts'

/** Inflates the next bytes of a compressed file into a temporary file. */
export interface InflateTask {
  readonly kind: 'inflate'
  /** Names the inflation. The worker keeps its state under it until the file ends. */
  readonly key: string
  readonly file: FileRef
  readonly compression: Compression
  /** The temporary file, which threads open by its descriptor. */
  readonly temp: { readonly descriptor: number; readonly device: bigint; readonly inode: bigint }
  /** The number of bytes that have been written. 0: the inflation begins. */
  readonly written: number
  /** The most bytes to write now. Fewer are written if it takes long. */
  readonly maxBytes: number
  readonly cancel: SharedArrayBuffer
}

export interface InflatedAnswer {
  readonly kind: 'inflated'
  /** The number of bytes that have been written, those of earlier tasks included. */
  readonly written: number
  readonly hasEnded: boolean
  /** Nothing was done, because the worker does not have the state. */
  readonly isGone?: true
  readonly metrics: WorkerMetrics
}
