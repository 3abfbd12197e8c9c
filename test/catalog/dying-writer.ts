/** The thread that writes the catalog, which ends the process at the step whose number is in the environment. */
import { parentPort, workerData } from 'node:worker_threads'
import { runCatalogWriter, type WriterData } from '../../src/main/catalog/store/writer.ts'
import { dieAtStep } from './die-at-step.ts'

if (parentPort !== null) runCatalogWriter(parentPort, workerData as WriterData, { atStep: dieAtStep })
