import type { Answer, Task } from '../../plan/task/task.ts'

/** Where a task should run. */
export type Place =
  | { readonly prefer: readonly number[]; readonly patienceMs: number }
  | { readonly only: number }

export interface Outcome<A> {
  readonly answer: A
  readonly worker: number
  /** Milliseconds between asking and starting. */
  readonly queueMs: number
}

/** A task that was asked for, and who hears of it. */
export interface Job {
  readonly task: Task
  readonly place: Place | undefined
  /** What it takes, where that is next to nothing; undefined: more, or not known. Milliseconds. */
  readonly quickMs: number | undefined
  /** As `performance.now()`. */
  readonly askedAt: number
  readonly resolve: (outcome: Outcome<Answer>) => void
  readonly reject: (error: unknown) => void
}

/** Those that go to a worker in one message. */
export type Jobs<J extends Job> = readonly [J, ...J[]]

/** Whether a job need not wait for a better worker than this one. */
export function isPlaceOf({ place, askedAt }: Job, worker: number, now: number): boolean {
  if (place === undefined) return true
  if ('only' in place) return place.only === worker
  return place.prefer.includes(worker) || now >= askedAt + place.patienceMs
}
