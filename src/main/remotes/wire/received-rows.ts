/** Bytes of rows that the thread sends, in their order. */
export interface ReceivedRows {
  push(bytes: Uint8Array): void
  /** All have come, or no more come for this error. */
  end(error: unknown): void
  /** The next bytes. Null: these were all. Rejects with the error of `end`. */
  next(): Promise<Uint8Array | null>
}

export function createReceivedRows(): ReceivedRows {
  const waiting: Uint8Array[] = []
  let ended: { readonly error: unknown } | null = null
  let wake = (): void => {}
  return {
    push(bytes) {
      waiting.push(bytes)
      wake()
    },
    end(error) {
      ended ??= { error }
      wake()
    },
    async next() {
      for (;;) {
        if (ended !== null && ended.error !== null) throw ended.error
        const bytes = waiting.shift()
        if (bytes !== undefined) return bytes
        if (ended !== null) return null
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        await promise
      }
    },
  }
}
