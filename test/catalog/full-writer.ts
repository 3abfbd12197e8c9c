/** The thread that writes the catalog, over a database that can grow by a few pages only. */
import { parentPort, workerData } from 'node:worker_threads'
import { openCatalogDatabase } from '../../src/main/catalog/store/open-catalog.ts'
import { runCatalogWriter, type WriterData } from '../../src/main/catalog/store/writer.ts'

if (parentPort !== null)
  runCatalogWriter(parentPort, workerData as WriterData, {
    open(paths, atStep) {
      const database = openCatalogDatabase(paths, atStep)
      database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 5}`)
      return database
    },
  })
