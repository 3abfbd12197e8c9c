/** What the thread sends of rows, in its order. */
export interface Received<T> {
  push(part: T): void
  /** All have come, or no more come for this error. */
  end(error: unknown): void
  /** The next part. Null: these were all. Rejects with the error of `end`. */
  next(): Promise<T | null>
}

export function createReceived<T>(): Received<T> {
  const waiting: T[] = []
  let ended: { readonly error: unknown } | null = null
  let wake = (): void => {}
  return {
    push(part) {
      waiting.push(part)
      wake()
    },
    end(error) {
      ended ??= { error }
      wake()
    },
    async next() {
      for (;;) {
        if (ended !== null && ended.error !== null) throw ended.error
        const part = waiting.shift()
        if (part !== undefined) return part
        if (ended !== null) return null
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        await promise
      }
    },
  }
}
