import type { Config } from '../settings/config.ts'

/** The limits of each thread of the pool. */
export interface PoolLimits {
  /** Bytes of the core's memory. WASM memory is not part of Node's resource limits. */
  readonly coreBytes: number
  /** MiB of JavaScript heap. */
  readonly heapMegabytes: number
  /** Milliseconds that one task may take. After that the worker is assumed to hang. */
  readonly taskMs: number
  /** Milliseconds that a statement may work, all tasks that run it together. */
  readonly statementMs: number
  /** Bytes that DuckDB may use. */
  readonly sqlBytes: number
  /** Bytes of decoded columns that each worker may keep between queries. */
  readonly columnBytes: number
  /** The same for each engine of statements. */
  readonly engineColumnBytes: number
  /** The most bytes of a chunk of an array that is decoded as a whole. */
  readonly maxChunkBytes: number
}

const MIB = 1 << 20

/** The part of `cacheBytes` for answers. The rest is for decoded columns and chunks. */
const ANSWERS_SHARE = 1 / 8

/**
 * The part of `cacheBytes` for what engines decode themselves. Several workers decode for them, so they need little. A single worker
 * does not, so that a statement of a service with one worker has one CPU.
 */
const ENGINES_SHARE = { besideOneWorker: 3 / 8, besideSeveral: 1 / 8 } as const

export function poolLimits(config: Config): PoolLimits {
  const { workers, sqlEngines, cacheBytes } = config
  const enginesShare = ENGINES_SHARE[workers > 1 ? 'besideSeveral' : 'besideOneWorker']
  return {
    coreBytes: config.workerMemoryMb * MIB,
    heapMegabytes: config.workerHeapMb,
    taskMs: config.unitTimeoutSecs * 1000,
    statementMs: config.statementTimeoutSecs * 1000,
    sqlBytes: config.sqlMemoryMb * MIB,
    columnBytes: Math.floor((cacheBytes * (1 - ANSWERS_SHARE - enginesShare)) / workers),
    maxChunkBytes: config.maxChunkBytes,
    engineColumnBytes: Math.floor((cacheBytes * enginesShare) / sqlEngines),
  }
}

/** Bytes of answers that may be kept. */
export function answersBytes({ cacheBytes }: Config): number {
  return cacheBytes * ANSWERS_SHARE
}
