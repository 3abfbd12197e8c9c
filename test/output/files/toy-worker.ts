/** A worker of the product that makes other files. */
import { FORMATS } from '../../../src/plan/formats.ts'
import { PROVIDERS } from '../../../src/workers/formats/providers.ts'
import { runWorker } from '../../../src/workers/run-worker.ts'
import { TOY_KINDS } from './toy-kinds.ts'

export const run = runWorker({ formats: FORMATS, providers: PROVIDERS, files: TOY_KINDS })
