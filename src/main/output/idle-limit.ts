import type { Chunks } from './body.ts'

/** Chunks whose taker is given up when it has not asked for the next one for so long, in milliseconds. `onIdle` closes them. */
export function withIdleLimit(chunks: Chunks, idleMs: number, onIdle: () => void): Chunks {
  const start = (): NodeJS.Timeout => setTimeout(onIdle, idleMs).unref()
  let timer = start()
  return {
    async next() {
      clearTimeout(timer)
      const chunk = await chunks.next()
      if (chunk !== null) timer = start()
      return chunk
    },
    close() {
      clearTimeout(timer)
      chunks.close()
    },
  }
}
