/** The thread that writes the catalog, over a database that has become read-only. */
import { parentPort, workerData } from 'node:worker_threads'
import { openCatalogDatabase } from '../../src/main/catalog/store/open-catalog.ts'
import { runCatalogWriter, type WriterData } from '../../src/main/catalog/store/writer.ts'

if (parentPort !== null)
  runCatalogWriter(parentPort, workerData as WriterData, {
    open(paths, atStep) {
      const database = openCatalogDatabase(paths, atStep)
      database.pragma('query_only = 1')
      return database
    },
  })
