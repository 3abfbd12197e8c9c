import type { Chunks } from './body.ts'

/** Calls `onIdle`, which closes the chunks, when the next chunk has not been asked for within `idleMs`, in milliseconds. */
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
