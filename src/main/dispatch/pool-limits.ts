/** The limits of each worker thread. */
export interface PoolLimits {
  /** Bytes of the core's memory. WASM memory is not part of Node's resource limits. */
  readonly coreBytes: number
  /** MiB of JavaScript heap. */
  readonly heapMegabytes: number
  /** Milliseconds that one task may take. After that the worker is assumed to hang. */
  readonly taskMs: number
  /** The same for a task that waits for rows of a statement. */
  readonly statementMs: number
  /** Bytes that DuckDB may use. */
  readonly sqlBytes: number
  /** Bytes of decoded columns that the worker may keep between queries. */
  readonly columnBytes: number
}
