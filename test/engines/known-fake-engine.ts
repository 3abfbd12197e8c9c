/** A fake engine that tells main the number of its thread, as the real one does in Linux. */
import { readlinkSync } from 'node:fs'
import type { Answer, SqlTask } from '../../src/plan/task/task.ts'
import { run as runFake } from './fake-engine.ts'

export function run(task: SqlTask): Answer {
  const answer = runFake(task)
  if (answer.kind !== 'sql_ready' || process.platform !== 'linux') return answer
  return { ...answer, threadId: Number(readlinkSync('/proc/thread-self').split('/').at(-1)) }
}
