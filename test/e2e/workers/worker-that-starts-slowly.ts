/** The worker of the product, half a second late. When it has started, it makes a file in the folder that `STARTED_WORKERS` names. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'

// Time itself: a start that takes half a second.
await setTimeout(500)
writeFileSync(join(process.env['STARTED_WORKERS'] ?? '', String(threadId)), '')

export { run } from '../../../src/workers/worker.ts'
