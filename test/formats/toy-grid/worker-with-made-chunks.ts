import { PROVIDERS } from '../../../src/workers/formats/providers.ts'
import { runWorker } from '../../../src/workers/run-worker.ts'
import { FORMATS_WITH_GRID } from './formats.ts'
import { grid } from './grid.ts'
import { madeStores } from './made-store.ts'

/** The worker of the service with the toy grid, whose chunks are made when they are read. */
export const run = runWorker({
  formats: FORMATS_WITH_GRID,
  providers: { ...PROVIDERS, toygrid: () => grid },
  openStore: madeStores(),
})
