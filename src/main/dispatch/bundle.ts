import type { Answer, ScanTask, Task } from '../../plan/task/task.ts'
import { isPlacedOn, type Job, type Jobs } from './job.ts'

/** The most work in one bundle: some five times what a message to a worker and back takes. Milliseconds. */
const BUNDLE_MS = 2

/** The most jobs in one bundle. It bounds the delay if their columns are no longer cached and the jobs are not quick. */
const BUNDLE_TASKS = 16

/**
 * The jobs that a worker is given in one message: the job whose turn it is and, if that is quick, quick ones from `waiting`
 * in their order. Jobs that `others` may run as well are divided among them, so that no idle worker is left without work.
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
  /** The number of quick jobs that this worker should have, if all workers get as many. */
  const share = quick.reduce((sum, each) => {
    const candidates = others.filter((other) => other === worker || isPlacedOn(each, other, now))
    return sum + 1 / Math.max(1, candidates.length)
  }, 0)
  for (const each of quick) {
    if (each === job) continue
    leftMs -= each.quickMs ?? 0
    if (jobs.length >= Math.min(share, BUNDLE_TASKS) || leftMs < 0) break
    jobs.push(each)
  }
  return jobs
}

/** The one task that asks a worker for all of the jobs. */
export function taskOf([job, ...others]: Jobs<Job>): Task {
  if (others.length === 0) return job.task
  const tasks = [job, ...others].flatMap(({ task }): ScanTask[] => (task.kind === 'scan' ? [task] : []))
  return { kind: 'scans', tasks }
}

/** The answers to the jobs of `taskOf`, in their order. */
export function answersOf(answer: Answer): readonly Exclude<Answer, { kind: 'scans' }>[] {
  return answer.kind === 'scans' ? answer.answers : [answer]
}
