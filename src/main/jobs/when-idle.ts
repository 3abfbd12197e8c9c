/** The service is idle after so many checks in a row without an open query, so many milliseconds apart. */
const IDLE_CHECKS = 3
const CHECK_MS = 100

/**
 * Does work once no query has been open for a moment, so that the first queries do not share the machine with it.
 * It does not keep the process running. Returns a function that gives the work up.
 */
export function whenIdle(isBusy: () => boolean, work: () => void): () => void {
  let checks = 0
  const timer = setInterval(() => {
    checks = isBusy() ? 0 : checks + 1
    if (checks < IDLE_CHECKS) return
    clearInterval(timer)
    work()
  }, CHECK_MS).unref()
  return () => clearInterval(timer)
}
