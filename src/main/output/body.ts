import { Readable } from 'node:stream'
import { frugal } from './given-back.ts'

/** Bytes that are made as they are asked for. */
export interface Chunks {
  /** The next, in memory that is the taker's; null: there are no more. Asked for one after the other. */
  next(): Promise<Buffer | null>
  /** No more are wanted, at any time. */
  close(): void
}

/** The body of an answer. To be taken to its end or closed. */
export interface Body extends Chunks {
  /** What is left, after bytes that were taken already. The memory of what is sent is given back. Once. */
  stream(taken?: readonly Buffer[]): Readable
  /** Breaks the answer: whoever takes it is told the error. */
  fail(error: unknown): void
}

/** `ended` hears when no more is wanted of the chunks, or why they break; it may be told again. */
export function createBody(chunks: Chunks, ended: (error?: unknown) => void): Body {
  let failure: unknown
  let stream: Readable | undefined
  const body: Body = {
    async next() {
      try {
        if (failure !== undefined) throw failure
        return await chunks.next()
      } catch (error) {
        ended(error)
        throw error
      }
    },
    close() {
      chunks.close()
      ended()
    },
    stream(taken = []) {
      stream = frugal(streamOf(after(taken, body)))
      return stream
    },
    fail(error) {
      failure ??= error
      ended(error)
      chunks.close()
      stream?.destroy(error as Error)
    },
  }
  return body
}

/** Bytes that Node holds for a connection beside what it is sending. */
const STREAM_BUFFER_BYTES = 1 << 20

/** Chunks as a stream; they are closed with it. */
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
  const left = [...taken]
  return { ...rest, next: async () => left.shift() ?? rest.next() }
}

/** One buffer of several, in memory of its own: parts of a pool would keep all of it. */
export function joined(chunks: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(lengthOf(chunks))
  let at = 0
  for (const chunk of chunks) at += chunk.copy(bytes, at)
  return bytes
}

export function lengthOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}
