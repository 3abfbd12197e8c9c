import type { Readable } from 'node:stream'
import { type Body, streamOf } from '../output/body.ts'

/** A body that is read into memory up to its end or a maximum, before anyone reads it. */
export interface ReadAhead {
  /** All chunks. Null: the body has more than the maximum. Rejects when the body fails. */
  readonly whole: Promise<readonly Buffer[] | null>
  /** The body from its beginning. To be called at most once. */
  stream(): Readable
}

export function readAhead(body: Body, maxBytes: number): ReadAhead {
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
        if (size > maxBytes) return null
        wake()
      }
    } finally {
      isOver = true
      wake()
    }
  }

  const whole = read()
  // A rejection must not count as unhandled: `whole` is awaited later, or not at all.
  whole.catch(() => {})

  let at = 0

  /** The next chunk: of what is being read ahead, and then of the rest of the body. */
  async function next(): Promise<Buffer | null> {
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
      // The usual case of a large answer: the body streams its rest itself, without this indirection.
      if (isOver) return body.stream(chunks.splice(0))
      return streamOf({ next, close: () => isOver && body.close() })
    },
  }
}
