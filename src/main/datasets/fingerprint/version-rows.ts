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
  readonly bytes: number
}

/** Numbers of 64 bits, one for each row. Those from 2^63 on are stored as negative ones. */
interface NumberColumn {
  add(value: bigint): void
  at(row: number): bigint
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
      delays.add(ctimeNs - mtimeNs)
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
        inodes.at(row) === BigInt.asIntN(64, inode) &&
        mtimes.at(row) === mtimeNs &&
        delays.at(row) === BigInt.asIntN(64, ctimeNs - mtimeNs) &&
        sizes.at(row) === BigInt.asIntN(64, size) &&
        devices.at(row) === BigInt.asIntN(64, device)
      )
    },
    get bytes() {
      return devices.bytes + inodes.bytes + sizes.bytes + mtimes.bytes + delays.bytes
    },
  }
}

/** What the offset of the first number of a column is. Others may be below it. */
const MIDDLE = 2 ** 31
const MOST_OFFSET = 2 ** 32 - 1

/** The least rows by which a column grows. */
const LEAST_MORE = 64

function createNumberColumn(rows: number): NumberColumn {
  let capacity = rows
  let count = 0
  let first = 0n
  /** Absent: all are the first one, or they are too far from each other. */
  let offsets: Uint32Array | null = null
  let numbers: BigInt64Array | null = null

  function at(row: number): bigint {
    if (numbers !== null) return numbers[row] ?? 0n
    if (offsets === null) return first
    return BigInt.asIntN(64, first + BigInt((offsets[row] ?? 0) - MIDDLE))
  }

  function grow(): void {
    capacity += Math.max(LEAST_MORE, capacity >>> 3)
    if (offsets !== null) {
      const shorter = offsets
      offsets = new Uint32Array(capacity).fill(MIDDLE, count)
      offsets.set(shorter)
    }
    if (numbers !== null) {
      const shorter = numbers
      numbers = new BigInt64Array(capacity)
      numbers.set(shorter)
    }
  }

  function toNumbers(): BigInt64Array {
    const wide = new BigInt64Array(capacity)
    for (let row = 0; row < count; row++) wide[row] = at(row)
    offsets = null
    return wide
  }

  return {
    add(value) {
      const number = BigInt.asIntN(64, value)
      if (count === capacity) grow()
      if (count === 0) first = number
      if (numbers === null && number !== first) offsets ??= new Uint32Array(capacity).fill(MIDDLE)
      if (offsets !== null) {
        const offset = Number(BigInt.asIntN(64, number - first)) + MIDDLE
        if (offset >= 0 && offset <= MOST_OFFSET) offsets[count] = offset
        else numbers = toNumbers()
      }
      if (numbers !== null) numbers[count] = number
      count++
    },
    at,
    get bytes() {
      return (offsets?.byteLength ?? 0) + (numbers?.byteLength ?? 0)
    },
  }
}
