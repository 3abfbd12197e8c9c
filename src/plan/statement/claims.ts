/**
 * Decides which worker decodes which unit of a scan, by a ring of words in shared memory, one for each of the next units. A word
 * has the round of the ring that it is in, and the state of its unit. Only the statement moves a word to the next round, when it
 * has passed the unit. So a worker that comes late never takes a unit that was decoded before.
 */
export interface Claims {
  /** Claims a unit. Of several claims at most one succeeds. False: it is taken, was passed, or is more than a ring ahead. */
  take(index: number, by: 'statement' | 'assistant'): boolean
  /** Passes a unit: its word is for the unit one ring later. To be called by the statement's worker only. */
  pass(index: number): void
  /** Ends all claims: no unit can be taken any more. */
  close(): void
  readonly isClosed: boolean
}

/** The number of units that can be claimed at a time, which bounds how far other workers decode ahead of the statement. */
export const CLAIM_WORDS = 256

/** The lowest two bits of a word are the state of its unit, and the others the round. */
const FREE = 0
const TAKEN = Object.freeze({ statement: 1, assistant: 2 })
const STATE_BITS = 2
/** After so many rounds the numbers begin again. No claim is so late. */
const ROUNDS = 1 << 28
const CLOSED = -1

/** New words, in which all units of the first round are free. */
export function claimWords(): SharedArrayBuffer {
  return new SharedArrayBuffer(CLAIM_WORDS * Int32Array.BYTES_PER_ELEMENT)
}

export function claimsIn(shared: SharedArrayBuffer): Claims {
  const words = new Int32Array(shared)
  const freeAt = (index: number): number => ((Math.floor(index / words.length) % ROUNDS) << STATE_BITS) | FREE
  return {
    take(index, by) {
      const free = freeAt(index)
      return Atomics.compareExchange(words, index % words.length, free, free | TAKEN[by]) === free
    },
    pass(index) {
      const at = index % words.length
      const word = Atomics.load(words, at)
      // If the words are closed meanwhile, the exchange fails and they stay closed.
      if (word !== CLOSED) Atomics.compareExchange(words, at, word, freeAt(index + words.length))
    },
    close() {
      for (const at of words.keys()) Atomics.store(words, at, CLOSED)
    },
    get isClosed() {
      return Atomics.load(words, 0) === CLOSED
    },
  }
}
