/** The product's worker, half a second late; then there is a file for it in the folder that `STARTED_WORKERS` names. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'

await sleep(500)
writeFileSync(join(process.env['STARTED_WORKERS'] ?? '', String(threadId)), '')

export { run } from '../../src/workers/worker.ts'
