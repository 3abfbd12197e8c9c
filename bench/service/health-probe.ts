/**
 * A thread that requests `/api/health` again and again until it gets a message, and then posts the time of each answer in
 * milliseconds. The route does nothing, so this is the time for which the main thread of the service was busy.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY_MS = 20

const { port } = workerData as { readonly port: number }
const times: number[] = []
let stopped = false
parentPort?.once('message', () => {
  stopped = true
})
while (!stopped) {
  const start = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/health`)
  await response.arrayBuffer()
  times.push(performance.now() - start)
  await sleep(EVERY_MS)
}
parentPort?.postMessage(times)
