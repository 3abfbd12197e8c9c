import { Readable } from 'node:stream'
import { ServiceError } from '../../plan/errors.ts'
import { freeAfterSend } from './free-after-send.ts'

/** Bytes that are made on demand. */
export interface Chunks {
  /** The next chunk, whose memory the caller owns. Null: there are no more. To be called again only after it has resolved. */
  next(): Promise<Buffer | null>
  /** Ends the chunks early. It may be called at any time, and more than once. */
  close(): void
}

/** The bytes of an answer. */
export interface Delivered extends Chunks {
  /** The number of all bytes. Null: they are still being made. */
  readonly size: number | null
}

/** The body of an answer. It must be read to its end or closed. */
export interface Body extends Chunks {
  /**
   * The body as a stream: chunks that were read already, and then the rest. The memory of sent chunks is freed. To be called
   * at most once.
   */
  stream(taken?: readonly Buffer[]): Readable
  /** Makes reading the body fail with an error. */
  fail(error: unknown): void
  /** The same, unless a chunk was asked for in the last `ms` milliseconds. */
  failIfIdle(ms: number, error: unknown): void
}

/** `ended` is called when the body is closed, or with the error when it fails. It may be called more than once. */
export function createBody(chunks: Chunks, ended: (error?: unknown) => void): Body {
  let failure: unknown
  let stream: Readable | undefined
  let askedAt = performance.now()
  const body: Body = {
    async next() {
      askedAt = performance.now()
      try {
        if (failure !== undefined) throw failure
        const chunk = await chunks.next()
        // Rows that were closed meanwhile look as if they had ended.
        if (failure !== undefined) throw failure
        return chunk
      } catch (error) {
        if (error !== failure) ended(error)
        throw error
      }
    },
    close() {
      failure ??= new ServiceError('cancelled', 'The answer was closed.')
      chunks.close()
      ended()
    },
    stream(taken = []) {
      stream = freeAfterSend(streamOf(after(taken, body)))
      return stream
    },
    fail(error) {
      failure ??= error
      ended(error)
      chunks.close()
      stream?.destroy(error as Error)
    },
    failIfIdle(ms, error) {
      if (performance.now() - askedAt >= ms) body.fail(error)
    },
  }
  return body
}

/** Bytes that a stream reads ahead of the connection. */
const STREAM_BUFFER_BYTES = 1 << 20

/** Chunks as a stream. They are closed when the stream is. */
export function streamOf(chunks: Chunks): Readable {
  return new Readable({
    highWaterMark: STREAM_BUFFER_BYTES,
    read() {
      chunks.next().then(
        (chunk) => this.push(chunk),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      chunks.close()
      done(error)
    },
  })
}

function after(taken: readonly Buffer[], rest: Chunks): Chunks {
  const remainingChunks = [...taken]
  return { ...rest, next: async () => remainingChunks.shift() ?? rest.next() }
}

/** Chunks of several sources, each of which is read to its end before the next. */
export function concatenate(sources: readonly Chunks[]): Chunks {
  let at = 0
  return {
    async next() {
      for (; ; at++) {
        const source = sources[at]
        if (source === undefined) return null
        const chunk = await source.next()
        if (chunk !== null) return chunk
      }
    },
    close() {
      for (const source of sources) source.close()
    },
  }
}

/** Joins buffers into one with its own memory. A part of Node's buffer pool would keep the whole pool in memory. */
export function join(chunks: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(lengthOf(chunks))
  let at = 0
  for (const chunk of chunks) at += chunk.copy(bytes, at)
  return bytes
}

export function lengthOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}
