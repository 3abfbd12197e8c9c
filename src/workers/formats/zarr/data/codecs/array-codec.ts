import type { ArrayForm } from '../array-form.ts'

/** A codec that makes an array of an array. Its configuration has been checked. */
export interface ArrayCodec {
  /** What it has made. */
  readonly encoded: ArrayForm
  /** Whether it takes and gives numbers, which have to be little-endian. If not, it only moves elements. */
  readonly readsNumbers: boolean
  /** The bytes of the array that it was applied to, out of those that it has made. Both have as many as their forms need. */
  decode(bytes: Uint8Array): Uint8Array
}
