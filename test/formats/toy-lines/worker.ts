import { createFormats } from '../../../src/plan/format/create-formats.ts'
import { FORMATS } from '../../../src/plan/formats.ts'
import { arrayOptions } from '../../../src/workers/formats/arrays/array-options.ts'
import { createArrayProvider } from '../../../src/workers/formats/arrays/array-provider.ts'
import { PROVIDERS } from '../../../src/workers/formats/providers.ts'
import { runWorker } from '../../../src/workers/run-worker.ts'
import { raster } from '../toy-raster/raster.ts'
import { RASTER } from '../toy-raster/row.ts'
import { createLines } from './lines.ts'
import { LINES } from './row.ts'

/** The worker of the service, with the toy formats of docs/guides/adding-a-format.md added. */
export const run = runWorker({
  formats: createFormats([...FORMATS.rows, LINES, RASTER]),
  providers: {
    ...PROVIDERS,
    lines: ({ options }) => createLines(Number(options['skip'])),
    raster: ({ options }) => createArrayProvider(raster, arrayOptions(options)),
  },
})
