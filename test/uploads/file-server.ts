import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import fastify from 'fastify'
import { pino } from 'pino'
import { openDatasetFileService } from '../../src/main/dataset-files/dataset-files.ts'
import type { WritingSystem } from '../../src/main/dataset-files/file-calls.ts'
import { findDatasets } from '../../src/main/datasets/list.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { createErrorHandler } from '../../src/main/http/errors.ts'
import { createStreamedBodies } from '../../src/main/http/requests/streamed-bodies.ts'
import { addUploadRoutes } from '../../src/main/http/routes/uploads.ts'
import type { Services } from '../../src/main/http/services.ts'
import { readConfig } from '../../src/main/settings/config.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { openInFolder } from '../catalog/store.ts'
import { ANYBODY } from '../support/callers.ts'

/** The routes of uploads with the stored catalog and the dataset root, and nothing else of the service, so that it starts soon. */
export interface FileServer {
  readonly url: string
  readonly datasets: string
  /** The paths that listings show. */
  listed(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface FileServerOptions {
  readonly system?: WritingSystem
  readonly idleMs?: number
}

export async function startFileServer(data: string, options: FileServerOptions = {}): Promise<FileServer> {
  const datasets = await realpath(join(data, 'datasets'))
  const { config } = readConfig({ SERVICE_DATASETS_DIR: datasets, SERVICE_MIN_FREE_BYTES: '0' })
  const catalog = await openInFolder(join(data, 'tables'))
  const root = await openDatasetRoot(datasets, { hidden: [join(datasets, '__service__')] })
  const logger = pino({ level: 'silent' })
  const datasetFiles = await openDatasetFileService({
    ...config,
    root,
    catalog,
    store: catalog.uploads,
    log: logger,
    ...(options.system && { system: options.system }),
  })
  const app = fastify()
  app.setErrorHandler(createErrorHandler(logger))
  app.setValidatorCompiler(() => () => true)
  // The gate has its own tests.
  addUploadRoutes(app, { datasetFiles } as unknown as Services, createStreamedBodies(options.idleMs))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    datasets,
    async listed() {
      const found = await findDatasets(root, FORMATS, '**', ANYBODY.rights, new AbortController().signal)
      return found.map(({ file }) => file.path)
    },
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await datasetFiles.close()
      await catalog.close()
    },
  }
}
