import { Readable } from 'node:stream'
import { release } from '../output/frugal.ts'

/** A body that is read to its end, or to so many bytes, whether anybody takes them or not. */
export interface ReadAhead {
  /** All of it; null: there is more. Rejects when the body breaks. */
  readonly whole: Promise<Buffer | null>
  /** The body from its beginning. To be taken once. */
  stream(): Readable
}

export function readAhead(body: Readable, mostBytes: number): ReadAhead {
  const { promise: whole, resolve, reject } = Promise.withResolvers<Buffer | null>()
  const chunks: Buffer[] = []
  let size = 0
  let isSettled = false
  let isTaken = false
  let wake = (): void => {}

  function settle(): void {
    isSettled = true
    body.off('data', take)
    wake()
  }

  function take(chunk: Buffer): void {
    chunks.push(chunk)
    size += chunk.length
    wake()
    if (size <= mostBytes) return
    body.pause()
    settle()
    resolve(null)
  }

  /** What has been read, as it comes, and then what is left. */
  async function* follow(): AsyncGenerator<Buffer> {
    for (let at = 0; at < chunks.length || !isSettled; ) {
      const chunk = chunks[at]
      if (chunk === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      } else {
        at++
        yield chunk
      }
    }
    chunks.length = 0
    if ((await whole) === null) yield* body
  }

  // It is awaited later, or not at all.
  whole.catch(() => {})
  body.on('data', take)
  body.once('end', () => {
    if (!isSettled) resolve(joined(chunks, size))
    if (!isTaken) for (const chunk of chunks.splice(0)) release(chunk)
    settle()
  })
  body.once('error', (error) => {
    settle()
    reject(error)
  })
  body.once('close', () => {
    settle()
    reject(new Error('the body was closed'))
  })
  return {
    whole,
    stream() {
      isTaken = true
      if (!isSettled || size <= mostBytes) return Readable.from(follow(), { objectMode: false })
      // As it was: nothing stands between the client and a large answer.
      for (const chunk of chunks.splice(0).reverse()) body.unshift(chunk)
      return body
    },
  }
}

/** In memory of its own: parts of a pool would keep all of it. */
function joined(chunks: readonly Buffer[], size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const chunk of chunks) at += chunk.copy(bytes, at)
  return bytes
}
