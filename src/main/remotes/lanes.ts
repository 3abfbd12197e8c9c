/** Places for work, of which so many are taken at once. Who finds none waits in the order of the calls. */
export interface Lanes {
  /** Takes a place, and returns what gives it back. Rejects with the reason of the signal. */
  take(signal: AbortSignal): Promise<() => void>
  /** How many are taken. */
  readonly taken: number
  /** Takes a place if fewer than `below` are taken, and nobody waits. Null: there is none. */
  takeBelow(below: number): (() => void) | null
  /** Whether nothing is taken and nobody waits. */
  readonly isIdle: boolean
}

/**
 * @param most So many places.
 * @param mostWaiting So many may wait; further ones are refused.
 * @param waitMs How long one waits at most.
 * @param refusal The error of who may not wait, or has waited too long.
 */
export function createLanes(most: number, mostWaiting: number, waitMs: number, refusal: () => Error): Lanes {
  let taken = 0
  const waiting = new Set<() => void>()

  function giveBack(): () => void {
    let isGiven = false
    return () => {
      if (isGiven) return
      isGiven = true
      const [next] = waiting
      if (next === undefined) taken--
      else next()
    }
  }

  return {
    get taken() {
      return taken
    },
    get isIdle() {
      return taken === 0 && waiting.size === 0
    },
    takeBelow(below) {
      if (taken >= Math.min(below, most) || waiting.size > 0) return null
      taken++
      return giveBack()
    },
    async take(signal) {
      signal.throwIfAborted()
      if (taken < most) {
        taken++
        return giveBack()
      }
      if (waiting.size >= mostWaiting) throw refusal()
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const begin = (): void => {
        leave()
        resolve(giveBack())
      }
      const give = (error: unknown): void => {
        leave()
        reject(error)
      }
      const onAbort = (): void => give(signal.reason)
      const timer = setTimeout(() => give(refusal()), waitMs)
      function leave(): void {
        waiting.delete(begin)
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      waiting.add(begin)
      signal.addEventListener('abort', onAbort, { once: true })
      return promise
    },
  }
}
