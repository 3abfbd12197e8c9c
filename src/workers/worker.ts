/** Entry of a worker thread: `run` is what Piscina calls. */
import { FORMATS } from '../plan/formats.ts'
import { PROVIDERS } from './formats/providers.ts'
import { runWorker } from './run-worker.ts'

export const run = runWorker({ formats: FORMATS, providers: PROVIDERS })
