/** A timer that calls one function, at the earliest of the times asked for. It does not keep the process running. */
export interface Alarm {
  /** Calls once the JavaScript that runs now has ended, and only once however often this is asked for. */
  soon(): void
  /** Calls at a time of `performance.now()`, unless it calls earlier: then the time has to be asked for again. */
  at(time: number): void
}

export function createAlarm(callback: () => void): Alarm {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let isSoon = false
  return {
    soon() {
      if (isSoon) return
      isSoon = true
      queueMicrotask(() => {
        isSoon = false
        callback()
      })
    },
    at(time) {
      if (time >= dueAt) return
      clearTimeout(timer)
      dueAt = time
      const waitMs = Math.max(0, time - performance.now())
      timer = setTimeout(() => {
        dueAt = Number.POSITIVE_INFINITY
        callback()
      }, waitMs).unref()
    },
  }
}
