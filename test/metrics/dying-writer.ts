/** A thread in place of the one that writes metrics: it dies of the first rows. */
import { parentPort } from 'node:worker_threads'

parentPort?.on('message', () => {
  throw new Error('dead')
})
