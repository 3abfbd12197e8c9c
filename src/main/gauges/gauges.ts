import type { CacheFigures } from './cache-figures.ts'
import { measureMemory, type ResidentMemory } from './resident-memory.ts'
import type { RunningThreads } from './threads.ts'

/** What is measured of the running service. Each call gives the figures of now. */
export interface Gauges {
  /** Why no query can run, in one sentence. Null: queries can run. */
  notReady(): string | null
  /** The figures of each cache, by its name. */
  caches(): Readonly<Record<string, Partial<CacheFigures>>>
  /** What holds the memory of the process. It takes some 10 ms of a CPU. */
  memory(): Promise<ResidentMemory | null>
}

/** The rooms that have figures of their own. */
export interface GaugeSources {
  readonly threads: RunningThreads
  readonly readiness: { notReady(): string | null }
  readonly summaries: { figures(): CacheFigures }
  readonly inflated: { figures(): CacheFigures }
  readonly scheduler: { readonly columns: Partial<CacheFigures>; readonly chunks: Partial<CacheFigures> }
  readonly answers: { figures(): Readonly<{ answers: CacheFigures; runs: Partial<CacheFigures> }> }
}

export function createGauges({
  threads,
  readiness,
  summaries,
  inflated,
  scheduler,
  answers,
}: GaugeSources): Gauges {
  return {
    notReady: readiness.notReady,
    memory: () => measureMemory(threads),
    caches: () => ({
      footers: summaries.figures(),
      inflated: inflated.figures(),
      columns: scheduler.columns,
      chunks: scheduler.chunks,
      ...answers.figures(),
    }),
  }
}
