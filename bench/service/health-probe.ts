/**
 * A thread that asks `/api/health` again and again until it is told to stop, and then posts how long each answer took,
 * milliseconds: the route does nothing, so what it takes is what the main thread of the service lets it wait.
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
