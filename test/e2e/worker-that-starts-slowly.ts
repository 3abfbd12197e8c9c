/** The product's worker, half a second late; then there is a file for it in the folder that `STARTED_WORKERS` names. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'

// Time itself: its start takes so long.
await setTimeout(500)
writeFileSync(join(process.env['STARTED_WORKERS'] ?? '', String(threadId)), '')

export { run } from '../../src/workers/worker.ts'
