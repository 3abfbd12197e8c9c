/** The variable with the number of a step. */
export const DIE_AT = 'HALOCLINE_TEST_DIE_AT'

/** Ends the process as `kill -9` does, if it is at the step whose number is in the environment. */
export function dieAtStep(step: number): void {
  if (process.env[DIE_AT] === String(step)) process.kill(process.pid, 'SIGKILL')
}
