import type { Answer, Task } from '../../plan/task/task.ts'

/** Where a task should run. */
export type Placement =
  | { readonly prefer: readonly number[]; readonly patienceMs: number }
  | { readonly only: number }

export interface TaskOutcome<A> {
  readonly answer: A
  readonly worker: number
  /** Milliseconds between asking and starting. */
  readonly queueMs: number
}

/** A task that was asked for, and who hears of it. */
export interface Job {
  readonly task: Task
  readonly placement: Placement | undefined
  /** What it takes, where that is next to nothing; undefined: more, or not known. Milliseconds. */
  readonly quickMs: number | undefined
  /** As `performance.now()`. */
  readonly askedAt: number
  readonly resolve: (outcome: TaskOutcome<Answer>) => void
  readonly reject: (error: unknown) => void
}

/** Those that go to a worker in one message. */
export type Jobs<J extends Job> = readonly [J, ...J[]]

/** Whether a job need not wait for a better worker than this one. */
export function isPlacedOn({ placement, askedAt }: Job, worker: number, now: number): boolean {
  if (placement === undefined) return true
  if ('only' in placement) return placement.only === worker
  return placement.prefer.includes(worker) || now >= askedAt + placement.patienceMs
}
