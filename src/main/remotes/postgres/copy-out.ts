import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { freeMemory } from '../../../plan/free-memory.ts'
import { joinHead } from '../databases/join-head.ts'

/** What of a connection of `pg` is used. */
export interface WireConnection extends EventEmitter {
  readonly stream: Duplex
  query(text: string): void
}

/** A query of `pg` whose rows come as bytes. */
export interface CopyOut {
  /** For `Client.query`. */
  readonly query: object
  /** The bytes of the rows as they come, which stay what they are until the next ones are asked for. Ends when the statement has. Rejects with the error of the server, or of the connection. */
  chunks(): AsyncGenerator<Uint8Array, void>
  /** Ends it with an error, unless it has ended. */
  fail(error: unknown): void
}

/** Messages of the protocol (PostgreSQL, "Message Formats"), each with its length in four bytes behind it. */
const COPY_DATA = 0x64
const COPY_DONE = 0x63
const COPY_OUT_RESPONSE = 0x48
const ERROR_RESPONSE = 0x45
/** Notices, parameters, and notifications. They may come at any time. */
const ASIDE: ReadonlySet<number> = new Set([0x4e, 0x53, 0x41])

const HEAD_BYTES = 5
const LENGTH_BYTES = 4

/** The most bytes of a message that has no rows. */
const MOST_ASIDE_BYTES = 1 << 20

/** A chunk of the socket, and how many bytes of rows it begins with. Left to the garbage collector, tens of megabytes of chunks would wait for it. */
interface Waiting {
  readonly chunk: Buffer
  readonly size: number
}

/** So many bytes may wait for whoever reads them; then the server waits. */
const MOST_WAITING_BYTES = 4 << 20

/**
 * Runs `COPY … TO STDOUT`. While rows come, messages are told apart here: `pg` makes an object of each row, and lengths that cannot be
 * right stop pg-copy-streams for ever. `fault` makes the error for what is no message of the protocol.
 */
export function createCopyOut(text: string, fault: (what: string) => Error): CopyOut {
  let stream: Duplex | null = null
  let handler: ((chunk: Buffer) => void) | null = null
  let waiting: Waiting[] = []
  let waitingBytes = 0
  let isDone = false
  let error: unknown = null
  let wake = (): void => {}
  let head: Buffer = Buffer.alloc(0)
  let code = 0
  let remaining = 0

  function settle(reason: unknown): void {
    if (isDone) return
    isDone = true
    error = reason
    wake()
  }

  /** Gives the connection back to `pg`, with bytes that it has not seen. */
  function handBack(bytes: Buffer): void {
    if (stream === null || handler === null) return
    const given = handler
    stream.removeListener('data', onData)
    stream.on('data', given)
    handler = null
    stream.resume()
    given(bytes)
  }

  function onData(received: Buffer): void {
    const chunk = joinHead(head, received)
    head = Buffer.alloc(0)
    // Rows are moved together in place: each is behind the head of its message.
    let moved = 0
    let at = 0
    while (at < chunk.length) {
      if (remaining > 0) {
        const end = Math.min(chunk.length, at + remaining)
        if (code === COPY_DATA) {
          chunk.copyWithin(moved, at, end)
          moved += end - at
        }
        remaining -= end - at
        at = end
        continue
      }
      if (chunk.length - at < HEAD_BYTES) {
        // A copy: what is moved is read by others.
        head = Buffer.from(chunk.subarray(at))
        break
      }
      code = chunk[at] ?? 0
      if (code === ERROR_RESPONSE || code === COPY_DONE) {
        const isEnd = code === COPY_DONE
        keep(chunk, moved)
        handBack(Buffer.from(chunk.subarray(isEnd ? at + HEAD_BYTES : at)))
        return
      }
      remaining = chunk.readUInt32BE(at + 1) - LENGTH_BYTES
      const isAside = code === COPY_OUT_RESPONSE || ASIDE.has(code)
      if (remaining < 0 || (code !== COPY_DATA && !isAside) || (isAside && remaining > MOST_ASIDE_BYTES)) {
        stream?.destroy(fault('has sent what is no message of PostgreSQL'))
        return
      }
      at += HEAD_BYTES
    }
    keep(chunk, moved)
  }

  function keep(chunk: Buffer, size: number): void {
    if (size === 0) {
      freeMemory(chunk)
      return
    }
    waiting.push({ chunk, size })
    waitingBytes += size
    if (waitingBytes > MOST_WAITING_BYTES && handler !== null) stream?.pause()
    wake()
  }

  return {
    fail: settle,
    query: {
      submit(connection: WireConnection) {
        stream = connection.stream
        const [given] = stream.listeners('data')
        handler = given as (chunk: Buffer) => void
        stream.removeListener('data', handler)
        stream.on('data', onData)
        connection.query(text)
      },
      handleError: settle,
      handleCommandComplete() {},
      handleReadyForQuery: () => settle(null),
    },
    async *chunks() {
      for (;;) {
        if (waiting.length > 0) {
          const taken = waiting
          waiting = []
          waitingBytes = 0
          if (handler !== null) stream?.resume()
          for (const { chunk, size } of taken) {
            yield chunk.subarray(0, size)
            freeMemory(chunk)
          }
          continue
        }
        if (isDone) {
          if (error !== null) throw error
          return
        }
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        await promise
      }
    },
  }
}
