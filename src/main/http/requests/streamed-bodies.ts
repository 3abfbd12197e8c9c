import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import type { IncomingFile } from '../../dataset-files/uploads/incoming-file.ts'
import { contentDigest } from './content-digest.ts'

/** Bodies of requests that are handled while they arrive, and may take as long as they keep arriving. */
export interface StreamedBodies {
  /** Has the routes of a scope get their bodies by `of` alone. */
  addTo(scope: FastifyInstance): void
  of(request: FastifyRequest, reply: FastifyReply): IncomingFile
  /** Whether such a body arrives by a connection, so that its request has no time limit. */
  isArriving(socket: object): boolean
}

/** A client that sends nothing for so long is given up. Milliseconds. */
const IDLE_MS = 60_000

/**
 * After an answer that did not need all of the body, the rest is read and dropped for so long: a client that still sends would not
 * see the answer if its connection was closed at once. Milliseconds.
 */
const DROP_MS = 5000

/**
 * The bytes of one batch: one is written while the next one arrives. Each is a call in another thread, which takes some 90 µs of CPU
 * besides the writing (measured). All bodies that arrive at the same time share `BATCHES_BYTES`.
 */
const MOST_BATCH_BYTES = 1 << 20
const LEAST_BATCH_BYTES = 256 << 10
const BATCHES_BYTES = 8 << 20

export function createStreamedBodies(idleMs = IDLE_MS): StreamedBodies {
  const arriving = new WeakSet<object>()
  /** The number of bodies that arrive. */
  let count = 0
  const batchBytes = (): number =>
    Math.min(MOST_BATCH_BYTES, Math.max(LEAST_BATCH_BYTES, BATCHES_BYTES / count))
  async function* batchesOf(raw: IncomingMessage): AsyncGenerator<readonly Buffer[], void> {
    count++
    try {
      yield* readBatches(raw, idleMs, batchBytes)
    } finally {
      count--
    }
  }

  return {
    addTo(scope) {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _body, done) => done(null))
      // Fastify refuses a text that is no media type. The bytes are the same whatever it says.
      scope.addHook('preParsing', ({ headers }, _reply, _body, done) => {
        delete headers['content-type']
        done()
      })
      scope.addHook('onResponse', (request, _reply, done) => {
        dropRest(request.raw)
        done()
      })
    },
    of(request, reply) {
      const { raw, headers } = request
      const { 'content-length': length, 'content-encoding': coding = 'identity' } = headers
      if (coding.toLowerCase() !== 'identity')
        throw new ServiceError(
          'unsupported_media_type',
          `A file is sent as it is, without Content-Encoding; found "${coding.slice(0, 100)}".`,
        )
      // From now on, and not from the first batch on: the file that it goes to is opened before.
      arriving.add(raw.socket)
      raw.once('close', () => arriving.delete(raw.socket))
      return {
        announcedBytes: length === undefined ? null : Number(length),
        sha256: contentDigest(headers['content-digest']),
        batches() {
          // The client may have waited to see whether the request is refused.
          if (expectsContinue(raw)) reply.raw.writeContinue()
          return batchesOf(raw)
        },
      }
    },
    isArriving: (socket) => arriving.has(socket),
  }
}

/** Whether the client sends the body only when it is asked to. */
export function expectsContinue({ headers }: IncomingMessage): boolean {
  return /^100-continue$/i.test(headers.expect ?? '')
}

/**
 * The bytes of a body. It is paused while a batch waits to be taken. Ends with an error if it does not arrive whole.
 * @param batchBytes How many a batch has now.
 */
async function* readBatches(
  raw: IncomingMessage,
  idleMs: number,
  batchBytes: () => number,
): AsyncGenerator<readonly Buffer[], void> {
  let batch: Buffer[] = []
  let bytes = 0
  let wantedBytes = batchBytes()
  let isEnded = false
  let failure: ServiceError | null = null
  let wake: () => void = () => {}
  const fail = (error: ServiceError): void => {
    failure ??= error
    wake()
  }
  const onData = (chunk: Buffer): void => {
    batch.push(chunk)
    bytes += chunk.length
    idle.refresh()
    if (bytes < wantedBytes) return
    raw.pause()
    wake()
  }
  const onEnd = (): void => {
    isEnded = true
    wake()
  }
  const onClose = (): void => {
    // It may have arrived whole, and not been read when its connection was closed.
    if (!isEnded) fail(new ServiceError('cancelled', 'The client left before all of the file had arrived.'))
  }
  const idle = setTimeout(() => {
    if (raw.isPaused()) idle.refresh()
    else
      fail(
        new ServiceError(
          'request_timeout',
          `Nothing of the file has arrived for ${idleMs / 1000} s; send it again.`,
        ),
      )
  }, idleMs).unref()
  raw.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  if (raw.destroyed) onClose()
  try {
    for (;;) {
      while (bytes < wantedBytes && !isEnded && failure === null)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (failure !== null) throw failure
      if (batch.length === 0) return
      const next = batch
      batch = []
      bytes = 0
      wantedBytes = batchBytes()
      raw.resume()
      yield next
    }
  } finally {
    clearTimeout(idle)
    raw.pause()
    raw.off('data', onData).off('end', onEnd).off('close', onClose)
  }
}

/** Reads the rest of a body that is not needed, and closes the connection if it does not end soon. */
function dropRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return
  const limit = setTimeout(() => raw.socket.destroy(), DROP_MS).unref()
  raw.once('close', () => clearTimeout(limit))
  raw.resume()
}
