import { createFormats } from '../../../src/plan/format/create-formats.ts'
import { FORMATS } from '../../../src/plan/formats.ts'
import { PROVIDERS } from '../../../src/workers/formats/providers.ts'
import { runWorker } from '../../../src/workers/run-worker.ts'
import { TOY } from './row.ts'
import { toy } from './toy.ts'

/** The worker of the service, with a format added whose datasets are folders. */
export const run = runWorker({
  formats: createFormats([...FORMATS.rows, TOY]),
  providers: { ...PROVIDERS, toy: () => toy },
})
