import type { Readable, Writable } from 'node:stream'

/**
 * Makes a body give the memory of each chunk back as soon as the client's connection has taken it. To be used where the
 * chunks are nobody else's. The garbage collector would too, after it has looked at all objects, for every 32 MB sent:
 * that took longer than sending, and new memory longer than memory that is used again.
 */
export function frugal(body: Readable): Readable {
  const pipe = <T extends NodeJS.WritableStream>(client: T, { end = true } = {}): T => {
    body.on('data', (chunk: Buffer) => {
      const isRoomLeft = (client as unknown as Writable).write(chunk, (error) => {
        // What was not taken may still be in the hands of the system.
        if (!error) release(chunk)
      })
      if (isRoomLeft) return
      body.pause()
      client.once('drain', () => body.resume())
    })
    if (end) body.once('end', () => client.end())
    // Somebody may have looked at its beginning.
    body.resume()
    return client
  }
  return Object.assign(body, { pipe })
}

/** Gives the memory of bytes back that nobody will look at any more. */
export function release({ buffer, byteLength }: Buffer): void {
  // Others may have their bytes in a buffer of the pool's size.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > Buffer.poolSize)
    buffer.transfer(0)
}
