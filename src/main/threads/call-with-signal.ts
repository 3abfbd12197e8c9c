import { shareSignal } from './shared-signal.ts'
import { ThreadEnded } from './thread.ts'

/** Calls a thread, which ends its work with the signal. Null: the result is null, or the thread has died, which is logged where it was started. */
export async function callWithSignal<T>(
  signal: AbortSignal,
  call: (word: SharedArrayBuffer) => Promise<T>,
): Promise<T | null> {
  const { word, release } = shareSignal(signal)
  try {
    return await call(word)
  } catch (error) {
    if (error instanceof ThreadEnded) return null
    throw error
  } finally {
    release()
  }
}
