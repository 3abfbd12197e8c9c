/** The thread that writes the catalog. The first one dies of the first statement, the next one does not. */
import { parentPort, workerData } from 'node:worker_threads'
import { runCatalogWriter, type WriterData } from '../../src/main/catalog/store/writer.ts'

const data = workerData as WriterData
if (parentPort !== null) {
  if (data.sendsRows)
    parentPort.once('message', () => {
      throw new Error('dead')
    })
  runCatalogWriter(parentPort, data)
}
