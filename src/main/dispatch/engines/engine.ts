/** DuckDB in one thread, as main knows it. */
export interface Engine {
  readonly index: number
  /** `none`: it has no thread, or its thread is gone. */
  phase: 'none' | 'starting' | 'ready'
  /** The statements that are open in it, and those that are about to be. */
  readonly leases: Set<LeaseState>
  /** See `SqlReadyAnswer`. */
  threadId: number | null
  /** Whether its thread has a low priority, because it runs a long statement. */
  isLowered: boolean
  /** The statement that has got the engine and has not asked for a task yet. */
  reservedFor: LeaseState | null
  /** The bytes of DuckDB's memory, which never shrinks. */
  memoryBytes: number
  /** Ends the engine if it is still idle then. */
  idle: NodeJS.Timeout | undefined
  /** Has it give back memory if it is still idle then. */
  untrimmed: NodeJS.Timeout | undefined
}

/** A statement that has a lease. */
export interface LeaseState {
  readonly key: string
  readonly sql: string
  readonly engine: Engine
  /** Whether the statement is long, or is expected to be. */
  isLong: boolean
  /** Whether it has begun to run. */
  hasBegun: boolean
  /** Whether a task of it runs. */
  isWorking: boolean
  haveRowsLeft: boolean
  /** Whether its engine is gone. */
  isLost: boolean
  isReleased: boolean
  /** Milliseconds that its tasks have taken, and the CPU time in them. */
  workedMs: number
  cpuMs: number
}

export function createEngine(index: number): Engine {
  const leases = new Set<LeaseState>()
  return {
    index,
    phase: 'none',
    leases,
    threadId: null,
    isLowered: false,
    reservedFor: null,
    memoryBytes: 0,
    idle: undefined,
    untrimmed: undefined,
  }
}

export function hasLong({ leases }: Engine): boolean {
  return [...leases].some(({ isLong }) => isLong)
}
