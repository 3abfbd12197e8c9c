/**
 * Who decodes which unit of a scan, in shared memory: a ring of words, one for each of the next units. The word of a unit
 * says which round of the ring it is in, and whether the unit is free. Only the statement frees a word for the next round,
 * when it has gone past the unit, so a worker that comes late finds its unit gone, whoever has decoded it.
 */
export interface Claims {
  /** Takes a unit: of all that try at most one may. False: it is taken, gone, or more than a ring ahead. */
  take(index: number, by: 'statement' | 'assistant'): boolean
  /** Gives up a unit that the statement has gone past, for the one that is a ring behind it. Of the statement's worker alone. */
  pass(index: number): void
  /** From now on no unit is taken. */
  close(): void
  readonly isClosed: boolean
}

/** Units that may be taken at a time: those of the statement, and as many as all others may decode ahead. */
export const CLAIM_WORDS = 256

/** The state of a unit is in the lowest two bits of its word, the round above them. */
const FREE = 0
const TAKEN = Object.freeze({ statement: 1, assistant: 2 })
const STATE_BITS = 2
/** Rounds begin again after so many: by then nobody is left of the first. */
const ROUNDS = 1 << 28
const CLOSED = -1

/** Words of which all units of the first round are free. */
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
      const place = index % words.length
      const word = Atomics.load(words, place)
      // One that is closed meanwhile stays so.
      if (word !== CLOSED) Atomics.compareExchange(words, place, word, freeAt(index + words.length))
    },
    close() {
      for (const place of words.keys()) Atomics.store(words, place, CLOSED)
    },
    get isClosed() {
      return Atomics.load(words, 0) === CLOSED
    },
  }
}
