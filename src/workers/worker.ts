/** The entry of a worker thread. Piscina calls `run`. */
import { FORMATS } from '../plan/formats.ts'
import { FILTER_LIBRARY } from './formats/filter-library.ts'
import { PROVIDERS } from './formats/providers.ts'
import { runWorker } from './run-worker.ts'
import { FILE_KINDS } from './writers/file-kinds.ts'

export const run = runWorker({
  formats: FORMATS,
  providers: PROVIDERS,
  undoFilter: FILTER_LIBRARY,
  files: FILE_KINDS,
})
