/** What each worker thread may use. */
export interface PoolLimits {
  /** Bytes of the core's memory. WASM memory is not part of Node's resource limits. */
  readonly coreBytes: number
  /** MiB of JavaScript heap. */
  readonly heapMegabytes: number
  /** Milliseconds that one task may take before its worker is taken to hang. */
  readonly taskMs: number
  /** The same for a pull of rows from a statement. */
  readonly statementMs: number
  /** Bytes that DuckDB may use. */
  readonly sqlBytes: number
  /** Bytes of decoded columns that it may keep between queries. */
  readonly columnBytes: number
}
