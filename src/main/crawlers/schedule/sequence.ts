/** Runs work when all that was given before has ended. Work does not reject. */
export type Sequence = (work: () => Promise<void>) => void

export function createSequence(): Sequence {
  let last: Promise<void> = Promise.resolve()
  return (work) => {
    last = last.then(work)
  }
}
