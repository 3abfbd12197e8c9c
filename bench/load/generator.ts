/** The child process of `load`. Its options arrive as a message, and it sends the result as one. */
import { connect, type Socket } from 'node:net'
import { quantile } from '../report/statistics.ts'
import { type LoadOptions, type LoadResult, NUMBER, SAMPLES, type Sample } from './load.ts'
import { createResponseReader } from './response-reader.ts'

/** Milliseconds of load before the time that is measured. */
const WARM_UP_MS = 1000

/** The most bytes that a connection reads at once. */
const READ_BYTES = 1 << 20

const DIGITS = NUMBER.length

process.once('message', async (options) => {
  process.send?.(await run(options as Parameters<typeof run>[0]))
})

async function run(options: LoadOptions & { readonly firstNumber: number }): Promise<LoadResult> {
  const { sampleEvery, firstNumber } = options
  const totals = { answers: 0, bytes: 0, failures: 0 }
  const times: number[] = []
  const samples: Sample[] = []
  const buffer = Buffer.alloc(READ_BYTES)
  const start = performance.now() + WARM_UP_MS
  const deadline = start + options.seconds * 1000
  let asked = 0

  const client = (): Promise<void> =>
    new Promise((resolve) => {
      const { request, numberAt } = requestOf(options)
      let began = 0
      let sample: Buffer[] | null = null
      const ask = (socket: Socket): void => {
        const isSample = sampleEvery !== null && asked % sampleEvery === 0 && samples.length < SAMPLES
        asked++
        const number = String(firstNumber + asked).padStart(DIGITS, '0')
        if (numberAt !== null) request.write(number, numberAt, 'latin1')
        sample = isSample ? [] : null
        began = performance.now()
        socket.write(request)
      }
      const take = createResponseReader({
        body(bytes) {
          if (performance.now() > start) totals.bytes += bytes.length
          sample?.push(Buffer.from(bytes))
        },
        end(status) {
          const now = performance.now()
          if (status !== 200) totals.failures++
          else if (now > start) {
            totals.answers++
            times.push(now - began)
          }
          if (sample !== null && status === 200) {
            const number = numberAt === null ? '' : request.toString('latin1', numberAt, numberAt + DIGITS)
            samples.push({ number, body: Buffer.concat(sample) })
          }
          ask(socket)
        },
      })
      const socket = connect({
        host: '127.0.0.1',
        port: options.port,
        noDelay: true,
        onread: {
          buffer,
          callback(length) {
            take(buffer.subarray(0, length))
            return true
          },
        },
      })
      let isOver = false
      const timeout = setTimeout(() => {
        isOver = true
        socket.destroy()
      }, deadline - performance.now())
      socket.on('connect', () => ask(socket))
      // Handled by 'close', which follows.
      socket.on('error', () => {})
      socket.on('close', () => {
        if (!isOver) totals.failures++
        clearTimeout(timeout)
        resolve()
      })
    })

  const clients = Array.from({ length: options.clients }, client)
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS))
  const cpu = process.cpuUsage()
  await Promise.all(clients)
  const { user, system } = process.cpuUsage(cpu)
  const microseconds = options.seconds * 1e6
  return {
    perSecond: totals.answers / options.seconds,
    bytesPerSecond: totals.bytes / options.seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    samples,
    failures: totals.failures,
    cpu: (user + system) / microseconds,
  }
}

/** The bytes of a request, and the position of the number in them. Null: it has none. */
function requestOf({ port, method, path, body, authorization }: LoadOptions): {
  request: Buffer
  numberAt: number | null
} {
  const content =
    method === 'GET' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  const credentials = authorization === undefined ? '' : `authorization: ${authorization}\r\n`
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${credentials}${content}\r\n`
  const request = Buffer.from(head + (method === 'GET' ? '' : body))
  const numberAt = request.indexOf(NUMBER)
  return { request, numberAt: numberAt === -1 ? null : numberAt }
}
