/** Limits of the threads of a pool whose workers are not the subject of the test. */
export const TEST_LIMITS = Object.freeze({
  coreBytes: 1 << 20,
  heapMegabytes: 64,
  taskMs: 60_000,
  statementMs: 60_000,
  sqlBytes: 0,
  columnBytes: 0,
  engineColumnBytes: 0,
  maxChunkBytes: 0,
})
