/** A column of an answer of any engine. */
export interface Column {
  readonly length: number
  get(row: number): unknown
}

/** A hash of a multiset of rows. Different multisets have the same hash with a probability of 2^-64. */
export interface MultisetHash {
  readonly rows: number
  readonly hash: string
}

/**
 * Hashes each row from the exact bits of its values (64-bit integers, doubles, text, null), column after column, and adds the
 * hashes of all rows, so that their order does not matter.
 */
export function multisetHash(batches: Iterable<readonly Column[]>): MultisetHash {
  let rows = 0
  let low = 0
  let high = 0
  for (const columns of batches) {
    const length = columns[0]?.length ?? 0
    for (let row = 0; row < length; row++) {
      hash.reset()
      for (const column of columns) hash.add(column.get(row))
      low = (low + hash.low()) >>> 0
      high = (high + hash.high()) >>> 0
    }
    rows += length
  }
  return { rows, hash: high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0') }
}

const hash = createHash()

/** Two multiplicative hashes of 32 bits, side by side. */
function createHash() {
  const value = new DataView(new ArrayBuffer(8))
  let a = 0
  let b = 0
  const word = (bits: number): void => {
    a = Math.imul(a ^ bits, 0x9e3779b1)
    a ^= a >>> 15
    b = Math.imul(b + bits, 0x85ebca6b)
    b ^= b >>> 13
  }
  return {
    reset() {
      a = 1
      b = 2
    },
    add(cell: unknown) {
      if (cell === null || cell === undefined) return word(0x6e756c6c)
      if (typeof cell === 'string') {
        for (let i = 0; i < cell.length; i++) word(cell.charCodeAt(i))
        return word(cell.length)
      }
      if (typeof cell === 'bigint') value.setBigInt64(0, cell)
      else if (typeof cell === 'number') value.setFloat64(0, cell)
      else throw new TypeError(`no hash for a ${typeof cell}`)
      word(value.getInt32(0))
      word(value.getInt32(4))
    },
    low: () => Math.imul(a ^ (a >>> 16), 0xc2b2ae35) >>> 0,
    high: () => Math.imul(b ^ (b >>> 16), 0x27d4eb2f) >>> 0,
  }
}
