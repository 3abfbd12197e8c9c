/** The thread that writes the catalog. */
import { parentPort, workerData } from 'node:worker_threads'
import { runCatalogWriter, type WriterData } from './writer.ts'

if (parentPort !== null) runCatalogWriter(parentPort, workerData as WriterData)
