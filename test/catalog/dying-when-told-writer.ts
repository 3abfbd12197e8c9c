/** The thread that writes the catalog. The first one dies soon after it has opened the database, without a statement. */
import { parentPort, workerData } from 'node:worker_threads'
import { runCatalogWriter, type WriterData } from '../../src/main/catalog/store/writer.ts'

const data = workerData as WriterData
if (parentPort !== null) {
  runCatalogWriter(parentPort, data)
  if (data.sendsRows)
    setImmediate(() => {
      throw new Error('dead')
    })
}
