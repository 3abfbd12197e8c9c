import { ServiceError } from '../../plan/errors.ts'

/** A check that throws `cancelled` once the query's flag is set; main sets it, a busy worker hears nothing else. */
export function cancelCheck(flag: SharedArrayBuffer): () => void {
  const word = new Int32Array(flag)
  return () => {
    if (Atomics.load(word, 0) !== 0) throw new ServiceError('cancelled', 'The query was cancelled.')
  }
}
