import type { Scheduler } from './scheduler.ts'

/** The scheduler for work of the service itself: what it admits runs in the background of queries. */
export function inBackground(scheduler: Scheduler): Scheduler {
  return Object.create(scheduler, {
    admit: { value: (caching?: boolean) => scheduler.admit(caching, true) },
  }) as Scheduler
}
