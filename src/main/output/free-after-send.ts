import type { Readable, Writable } from 'node:stream'
import { freeMemory } from '../../plan/free-memory.ts'

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
