import { ServiceError } from '../../plan/errors.ts'

/**
 * Returns a check that throws `cancelled` once the query's flag is set. Main sets the flag in shared memory, because a busy
 * worker receives no messages.
 */
export function cancelCheck(flag: SharedArrayBuffer): () => void {
  const isCancelled = cancelTest(flag)
  return () => {
    if (isCancelled()) throw new ServiceError('cancelled', 'The query was cancelled.')
  }
}

/** Returns a test of whether the query's flag is set. */
export function cancelTest(flag: SharedArrayBuffer): () => boolean {
  const word = new Int32Array(flag)
  return () => Atomics.load(word, 0) !== 0
}
