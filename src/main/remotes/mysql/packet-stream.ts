import type { Duplex } from 'node:stream'
import { HEAD_BYTES, MOST_BODY, packetsOf } from './packet.ts'

/** A connection as packets, whose numbers rise from each command on. */
export interface PacketStream {
  /** The body of the next packet. */
  packet(): Promise<Buffer>
  /** The next bytes as they come, which may be altered. */
  bytes(): Promise<Buffer>
  /** Gives bytes back, the next packet of which has this number. */
  putBack(bytes: Buffer, number: number): void
  /** The number of the next packet. */
  readonly number: number
  /** Sends a body as the next packet. */
  send(body: Uint8Array): void
  /** Sends a command: the first packet of an exchange. */
  command(code: number, body: Uint8Array): void
  /** Goes on with another stream, such as one that encrypts this one. Bytes that were not asked for are refused. */
  continueOn(stream: Duplex): void
}

/** The code of the error when a stream has ended without one. */
export const BROKEN_OFF = 'BROKEN_OFF'

/**
 * Reads packets of a stream, no sooner than they are asked for, so that the server waits for whoever reads them. `refuse` throws an error about
 * what was sent: a packet of more than `most` bytes, or with another number than the next.
 */
export function createPacketStream(
  first: Duplex,
  most: number,
  refuse: (what: string) => never,
): PacketStream {
  let stream = first
  let rest: Buffer = Buffer.alloc(0)
  let number = 0
  let failure: Error | null = null
  let wake = (): void => {}

  function listen(): void {
    // Closed without an error, or with the one that came before.
    stream.on('error', (error) => {
      failure ??= error
      wake()
    })
    for (const event of ['readable', 'end', 'close']) stream.on(event, () => wake())
  }

  async function nextBytes(): Promise<Buffer> {
    for (;;) {
      const bytes = stream.read() as Buffer | null
      if (bytes !== null) return bytes
      if (failure !== null) throw failure
      if (stream.readableEnded || stream.destroyed)
        throw Object.assign(new Error('the connection has ended'), { code: BROKEN_OFF })
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      await promise
    }
  }

  async function fill(count: number): Promise<void> {
    while (rest.length < count) {
      const bytes = await nextBytes()
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    }
  }

  listen()
  return {
    async packet() {
      await fill(HEAD_BYTES)
      const length = rest.readUIntLE(0, 3)
      if (rest[3] !== number) refuse('has sent what is no packet of MySQL')
      if (length > most || length === MOST_BODY) refuse(`has sent ${length} bytes where few are expected`)
      await fill(HEAD_BYTES + length)
      const body = rest.subarray(HEAD_BYTES, HEAD_BYTES + length)
      rest = rest.subarray(HEAD_BYTES + length)
      number = (number + 1) & 0xff
      return body
    },
    async bytes() {
      if (rest.length === 0) return nextBytes()
      const bytes = rest
      rest = Buffer.alloc(0)
      return bytes
    },
    putBack(bytes, next) {
      rest = bytes
      number = next
    },
    get number() {
      return number
    },
    send(body) {
      stream.write(packetsOf(body, number))
      number = (number + 1) & 0xff
    },
    command(code, body) {
      if (rest.length > 0) refuse('has sent more than it was asked for')
      const packets = packetsOf(Buffer.concat([Buffer.from([code]), body]), 0)
      stream.write(packets)
      number = Math.ceil(packets.length / (MOST_BODY + HEAD_BYTES)) & 0xff
    },
    continueOn(next) {
      if (rest.length > 0 || stream.readableLength > 0) refuse('has sent more than it was asked for')
      stream.removeAllListeners('readable')
      stream = next
      listen()
    },
  }
}
