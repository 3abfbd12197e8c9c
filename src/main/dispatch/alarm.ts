/** Calls back at the earliest of the times that were named since the last call. It keeps no process running. */
export interface Alarm {
  /** A time of `performance.now()`. */
  at(time: number): void
}

export function createAlarm(ring: () => void): Alarm {
  let timer: NodeJS.Timeout | undefined
  let ringsAt = Number.POSITIVE_INFINITY
  return {
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
