import type { Answer, ScanTask, Task } from '../../plan/task/task.ts'
import { isPlacedOn, type Job, type Jobs } from './job.ts'

/** What quick jobs take that go to a worker together, at most: some five times the way there and back. Milliseconds. */
const BUNDLE_MS = 2

/** The most that go together: their columns may have had to go since. */
const BUNDLE_TASKS = 16

/**
 * A job that a worker is to run, and quick ones among those that wait, in their turn, which go there with it: of those that
 * other workers may be given as well, its part.
 */
export function bundleOf<J extends Job>(
  job: J,
  waiting: readonly J[],
  worker: number,
  others: readonly number[],
  now: number,
): Jobs<J> {
  if (job.quickMs === undefined) return [job]
  const jobs: [J, ...J[]] = [job]
  let leftMs = BUNDLE_MS - job.quickMs
  const quick = waiting.filter((each) => each.quickMs !== undefined && isPlacedOn(each, worker, now))
  const part = quick.reduce((sum, each) => {
    const places = others.filter((other) => other === worker || isPlacedOn(each, other, now))
    return sum + 1 / Math.max(1, places.length)
  }, 0)
  for (const each of quick) {
    if (each === job) continue
    leftMs -= each.quickMs ?? 0
    if (jobs.length >= Math.min(part, BUNDLE_TASKS) || leftMs < 0) break
    jobs.push(each)
  }
  return jobs
}

/** The task of jobs. */
export function taskOf([job, ...others]: Jobs<Job>): Task {
  if (others.length === 0) return job.task
  const tasks = [job, ...others].flatMap(({ task }): ScanTask[] => (task.kind === 'scan' ? [task] : []))
  return { kind: 'scans', tasks }
}

/** The answers to jobs, in their order. */
export function answersOf(answer: Answer): readonly Exclude<Answer, { kind: 'scans' }>[] {
  return answer.kind === 'scans' ? answer.answers : [answer]
}
