import { createFormats } from '../../../src/plan/format/create-formats.ts'
import { FORMATS } from '../../../src/plan/formats.ts'
import { PROVIDERS } from '../../../src/workers/formats/providers.ts'
import { runWorker } from '../../../src/workers/run-worker.ts'
import { createLines } from './lines.ts'
import { LINES } from './row.ts'

/** The worker of the service, with the toy format added. */
export const run = runWorker({
  formats: createFormats([...FORMATS.rows, LINES]),
  providers: { ...PROVIDERS, lines: ({ options }) => createLines(Number(options['skip'])) },
})
