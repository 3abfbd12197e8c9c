/** Calls back, as early as it was asked to since the last call. It keeps no process running. */
export interface Alarm {
  /** When what runs now has run, once however often it is asked for. */
  soon(): void
  /** A time of `performance.now()`. */
  at(time: number): void
}

export function createAlarm(ring: () => void): Alarm {
  let timer: NodeJS.Timeout | undefined
  let ringsAt = Number.POSITIVE_INFINITY
  let isSoon = false
  return {
    soon() {
      if (isSoon) return
      isSoon = true
      queueMicrotask(() => {
        isSoon = false
        ring()
      })
    },
    at(time) {
      if (time >= ringsAt) return
      clearTimeout(timer)
      ringsAt = time
      const waitMs = Math.max(0, time - performance.now())
      timer = setTimeout(() => {
        ringsAt = Number.POSITIVE_INFINITY
        ring()
      }, waitMs).unref()
    },
  }
}
