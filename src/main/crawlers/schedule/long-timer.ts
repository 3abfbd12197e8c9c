/** Calls a function after so many milliseconds. Returns what cancels it. */
export type SetTimer = (ms: number, call: () => void) => () => void

/** The longest time of one timer of Node.js: with more it fires at once. */
const MOST_MS = 2 ** 31 - 1

/** A timer of any length, which does not keep the process running. */
export const setLongTimer: SetTimer = (ms, call) => {
  let timer: NodeJS.Timeout
  const wait = (restMs: number): void => {
    const stepMs = Math.min(restMs, MOST_MS)
    timer = setTimeout(() => (restMs > stepMs ? wait(restMs - stepMs) : call()), stepMs).unref()
  }
  wait(ms)
  return () => clearTimeout(timer)
}
