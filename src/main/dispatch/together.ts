import type { Answer, ScanTask, Task } from '../../plan/task.ts'
import { isPlaceOf, type Job } from './job.ts'

/** What quick jobs take that go to a worker together, at most: some ten times the way there and back. Milliseconds. */
const TOGETHER_MS = 4

/** The most that go together: their columns may have had to go since. */
const TOGETHER = 16

/**
 * A job that a worker is to run, and quick ones among those of its query that wait, which go there with it: of those that idle
 * workers may run as well, its part.
 */
export function together<J extends Job>(
  job: J,
  waiting: readonly J[],
  worker: number,
  idle: readonly number[],
  now: number,
): readonly [J, ...J[]] {
  if (job.quickMs === undefined) return [job]
  const jobs: [J, ...J[]] = [job]
  let leftMs = TOGETHER_MS - job.quickMs
  const quick = waiting.filter((each) => each.quickMs !== undefined && isPlaceOf(each, worker, now))
  const part = quick.reduce((sum, each) => {
    const places = idle.filter((other) => other === worker || isPlaceOf(each, other, now))
    return sum + 1 / Math.max(1, places.length)
  }, 0)
  for (const each of quick) {
    leftMs -= each.quickMs ?? 0
    if (jobs.length >= Math.min(part, TOGETHER) || leftMs < 0) break
    if (each !== job) jobs.push(each)
  }
  return jobs
}

/** The task of jobs. */
export function taskOf([job, ...others]: readonly [Job, ...Job[]]): Task {
  if (others.length === 0) return job.task
  const tasks = [job, ...others].flatMap(({ task }): ScanTask[] => (task.kind === 'scan' ? [task] : []))
  return { kind: 'scans', tasks }
}

/** The answers to jobs, in their order. */
export function answersOf(answer: Answer): readonly Exclude<Answer, { kind: 'scans' }>[] {
  return answer.kind === 'scans' ? answer.answers : [answer]
}
