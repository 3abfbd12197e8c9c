import type { Readable, Writable } from 'node:stream'

/**
 * Makes a body free the memory of each chunk as soon as the operating system has taken it. Only for bodies whose chunks
 * nobody else uses. The garbage collector would free it as well, but for every 32 MB sent it goes through all objects first,
 * which takes longer than sending; and memory that is used again is faster to fill than new memory.
 */
export function freeAfterSend(body: Readable): Readable {
  const pipe = <T extends NodeJS.WritableStream>(client: T, { end = true } = {}): T => {
    body.on('data', (chunk: Buffer) => {
      const wantsMore = (client as unknown as Writable).write(chunk, (error) => {
        // After an error the system may still be reading the chunk.
        if (!error) freeMemory(chunk)
      })
      if (wantsMore) return
      body.pause()
      client.once('drain', () => body.resume())
    })
    if (end) body.once('end', () => client.end())
    // The body may be paused, by whoever has read its beginning.
    body.resume()
    return client
  }
  return Object.assign(body, { pipe })
}

/** What a socket gives in one chunk. Less is left to the garbage collector. */
const LEAST_BYTES = 64 << 10

/** Frees the memory of bytes that will not be used any more, if it is not shared with other buffers. */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  // A buffer of Node's pool has less than half of its `ArrayBuffer`. What has all of one shares it with nobody.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength >= LEAST_BYTES)
    buffer.transfer(0)
}
