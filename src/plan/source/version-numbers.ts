import type { BigIntStats } from 'node:fs'
import { type FileVersion, versionOf } from './version.ts'

/** The numbers of a version, in the order of `FileVersion`. */
export const VERSION_NUMBERS = 5

/** The versions of files one behind the other. Numbers from 2^63 on are stored as negative ones. */
export function versionNumbers(files: readonly { readonly version: FileVersion }[]): BigInt64Array {
  const numbers = new BigInt64Array(VERSION_NUMBERS * files.length)
  let index = 0
  for (const { version } of files) putVersion(numbers, index++, version)
  return numbers
}

/** Writes the version of the file with this index. */
export function putVersion(numbers: BigInt64Array, index: number, version: FileVersion): void {
  const { device, inode, size, mtimeNs, ctimeNs } = version
  putNumbers(numbers, index, device, inode, size, mtimeNs, ctimeNs)
}

/** The same of a file with these stats, as `versionOf` gives it, without an object. */
export function putVersionOf(numbers: BigInt64Array, index: number, stats: BigIntStats): void {
  putNumbers(numbers, index, stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs)
}

function putNumbers(
  numbers: BigInt64Array,
  index: number,
  device: bigint,
  inode: bigint,
  size: bigint,
  mtimeNs: bigint,
  ctimeNs: bigint,
): void {
  const to = VERSION_NUMBERS * index
  numbers[to] = device
  numbers[to + 1] = inode
  numbers[to + 2] = size
  numbers[to + 3] = mtimeNs
  numbers[to + 4] = ctimeNs
}

/** The version of the file with this index. */
export function versionAt(numbers: BigInt64Array, index: number): FileVersion {
  const at = VERSION_NUMBERS * index
  return versionOf({
    dev: asUnsigned(numbers[at] ?? 0n),
    ino: asUnsigned(numbers[at + 1] ?? 0n),
    size: asUnsigned(numbers[at + 2] ?? 0n),
    mtimeNs: numbers[at + 3] ?? 0n,
    ctimeNs: numbers[at + 4] ?? 0n,
  })
}

function asUnsigned(value: bigint): bigint {
  return value < 0n ? BigInt.asUintN(64, value) : value
}
