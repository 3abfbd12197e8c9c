import type { Readable } from 'node:stream'
import { type Body, streamOf } from '../output/body.ts'

/** A body that is read to its end, or to so many bytes, whether anybody takes them or not. */
export interface ReadAhead {
  /** All of it; null: there is more. Rejects when the body breaks. */
  readonly whole: Promise<readonly Buffer[] | null>
  /** The body from its beginning. To be taken once. */
  stream(): Readable
}

export function readAhead(body: Body, mostBytes: number): ReadAhead {
  const chunks: Buffer[] = []
  let isOver = false
  let wake = (): void => {}

  async function read(): Promise<readonly Buffer[] | null> {
    let size = 0
    try {
      for (;;) {
        const chunk = await body.next()
        if (chunk === null) return [...chunks]
        chunks.push(chunk)
        size += chunk.length
        if (size > mostBytes) return null
        wake()
      }
    } finally {
      isOver = true
      wake()
    }
  }

  const whole = read()
  // It is awaited later, or not at all.
  whole.catch(() => {})

  let at = 0

  /** What has been read, as it comes, and then what is left. */
  async function follow(): Promise<Buffer | null> {
    while (at === chunks.length && !isOver)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    const chunk = chunks[at++]
    if (chunk !== undefined) return chunk
    at = chunks.length = 0
    return (await whole) === null ? body.next() : null
  }

  return {
    whole,
    stream() {
      // As it was: nothing stands between the client and a large answer.
      if (isOver) return body.stream(chunks.splice(0))
      return streamOf({ next: follow, close: () => isOver && body.close() })
    },
  }
}
