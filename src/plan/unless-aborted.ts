/** Waits for something. Rejects with the signal's reason if that is aborted first. */
export async function unlessAborted<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  const abortion = Promise.withResolvers<never>()
  const leave = (): void => abortion.reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([awaited, abortion.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
