import { type FileVersion, versionOf } from '../../../plan/source/version.ts'

/**
 * The versions of many files as rows. Each number of a version has a column, which takes nothing for a row while all rows have the same number, and
 * four bytes while they are near each other: files of a collection are on one device, and mostly were written one after the other.
 */
export interface VersionRows {
  /** Adds a row. */
  add(version: FileVersion): void
  at(row: number): FileVersion
  has(row: number, version: FileVersion): boolean
  /** The lower 32 bits of the inode, and of the time of the last change. */
  lowInode(row: number): number
  lowCtime(row: number): number
  readonly bytes: number
}

/** `rows`: for how many there is room at first. When it is full, there is for an eighth more. */
export function createVersionRows(rows: number): VersionRows {
  const devices = createNumberColumn(rows)
  const inodes = createNumberColumn(rows)
  const sizes = createNumberColumn(rows)
  const mtimes = createNumberColumn(rows)
  /** How much later a file was changed than it was written. */
  const delays = createNumberColumn(rows)

  return {
    add({ device, inode, size, mtimeNs, ctimeNs }) {
      devices.add(device)
      inodes.add(inode)
      sizes.add(size)
      mtimes.add(mtimeNs)
      delays.add(ctimeNs === mtimeNs ? 0n : ctimeNs - mtimeNs)
    },
    at(row) {
      const mtimeNs = mtimes.at(row)
      const delay = delays.at(row)
      return versionOf({
        dev: BigInt.asUintN(64, devices.at(row)),
        ino: BigInt.asUintN(64, inodes.at(row)),
        size: BigInt.asUintN(64, sizes.at(row)),
        mtimeNs,
        ctimeNs: delay === 0n ? mtimeNs : BigInt.asIntN(64, mtimeNs + delay),
      })
    },
    has(row, { device, inode, size, mtimeNs, ctimeNs }) {
      return (
        inodes.has(row, inode) &&
        mtimes.has(row, mtimeNs) &&
        delays.has(row, ctimeNs === mtimeNs ? 0n : ctimeNs - mtimeNs) &&
        sizes.has(row, size) &&
        devices.has(row, device)
      )
    },
    lowInode: inodes.lowAt,
    lowCtime: (row) => (mtimes.lowAt(row) + delays.lowAt(row)) >>> 0,
    get bytes() {
      return devices.bytes + inodes.bytes + sizes.bytes + mtimes.bytes + delays.bytes
    },
  }
}

/** Numbers of 64 bits, one for each row. Those from 2^63 on are stored as negative ones. */
interface NumberColumn {
  add(value: bigint): void
  at(row: number): bigint
  has(row: number, value: bigint): boolean
  /** The lower 32 bits. */
  lowAt(row: number): number
  readonly bytes: number
}

/** A number and its words: to compute with bigints takes longer, and makes objects. */
const NUMBER = new BigInt64Array(1)
const WORDS = new Uint32Array(NUMBER.buffer)

/** What the offset of the first number of a column is. Others may be below it. */
const MIDDLE = 2 ** 31
const MOST_OFFSET = 2 ** 32 - 1

/** The least rows by which a column grows. */
const LEAST_MORE = 64

function createNumberColumn(rows: number): NumberColumn {
  let capacity = rows
  let count = 0
  let first = 0n
  let [firstLow, firstHigh] = [0, 0]
  /** Null: all are the first one, or some are too far from it. */
  let offsets: Uint32Array | null = null
  /** The words of numbers that are far from each other. */
  let words: Uint32Array | null = null

  function at(row: number): bigint {
    if (words === null && offsets === null) return first
    if (words === null) return BigInt.asIntN(64, first + BigInt((offsets?.[row] ?? 0) - MIDDLE))
    WORDS[0] = words[2 * row] ?? 0
    WORDS[1] = words[2 * row + 1] ?? 0
    return NUMBER[0] ?? 0n
  }

  /** The offset of the number in `NUMBER`. If it is not between 0 and `MOST_OFFSET`, it may not be exact. */
  function offset(): number {
    // The distance of the high words is one of signed numbers, modulo 2^32.
    const high = ((WORDS[1] ?? 0) - firstHigh) | 0
    return high * 2 ** 32 + ((WORDS[0] ?? 0) - firstLow) + MIDDLE
  }

  function grow(): void {
    capacity += Math.max(LEAST_MORE, capacity >>> 3)
    if (offsets !== null) offsets = extend(offsets, capacity)
    if (words !== null) words = extend(words, 2 * capacity)
  }

  /** All numbers so far as words, in place of offsets. */
  function widen(): Uint32Array {
    const wide = new Uint32Array(2 * capacity)
    const [low = 0, high = 0] = WORDS
    for (let row = 0; row < count; row++) {
      NUMBER[0] = at(row)
      wide.set(WORDS, 2 * row)
    }
    WORDS[0] = low
    WORDS[1] = high
    offsets = null
    return wide
  }

  return {
    add(value) {
      NUMBER[0] = value
      if (count === capacity) grow()
      if (count === 0) {
        first = BigInt.asIntN(64, value)
        firstLow = WORDS[0] ?? 0
        firstHigh = WORDS[1] ?? 0
      }
      if (words === null) {
        const ofValue = offset()
        if (ofValue !== MIDDLE) offsets ??= new Uint32Array(capacity).fill(MIDDLE)
        if (offsets !== null && ofValue >= 0 && ofValue <= MOST_OFFSET) offsets[count] = ofValue
        else if (offsets !== null) words = widen()
      }
      if (words !== null) {
        words[2 * count] = WORDS[0] ?? 0
        words[2 * count + 1] = WORDS[1] ?? 0
      }
      count++
    },
    at,
    has(row, value) {
      NUMBER[0] = value
      if (words !== null) return words[2 * row] === WORDS[0] && words[2 * row + 1] === WORDS[1]
      return offset() === (offsets === null ? MIDDLE : offsets[row])
    },
    lowAt(row) {
      if (words !== null) return words[2 * row] ?? 0
      return offsets === null ? firstLow : (firstLow + (offsets[row] ?? 0) - MIDDLE) >>> 0
    },
    get bytes() {
      return (offsets?.byteLength ?? 0) + (words?.byteLength ?? 0)
    },
  }
}

function extend(shorter: Uint32Array, length: number): Uint32Array {
  const longer = new Uint32Array(length)
  longer.set(shorter)
  return longer
}
