import type { BigIntStats } from 'node:fs'
import { isSettled, versionOf } from '../../../plan/source/version.ts'

/** Tells whether files are the same versions as in an earlier walk, whatever the order in which they are met. */
export interface VersionSum {
  /** `requestedAt`: a time at or before the `stat`, in milliseconds since 1970. */
  add(path: string, stats: BigIntStats, requestedAt: number): void
  /** The number and two sums of 32 bits. Null: a file may change once more without another version, or has none. */
  readonly sums: Sums | null
}

type Sums = readonly [files: number, first: number, second: number]

export function createVersionSum(): VersionSum {
  let [files, first, second] = [0, 0, 0]
  let areSettled = true
  return {
    add(path, stats, requestedAt) {
      const version = versionOf(stats)
      areSettled &&= isSettled(version, requestedAt)
      let [a, b] = [0x9e37_79b1, 0x85eb_ca6b]
      for (let at = 0; at < path.length; at++) {
        const unit = path.charCodeAt(at)
        a = Math.imul(a ^ unit, 0x0100_0193)
        b = Math.imul(b + unit, 0x2c1b_3c6d) ^ (b >>> 15)
      }
      for (const number of [version.device, version.inode, version.size, version.mtimeNs, version.ctimeNs])
        for (const half of [number & LOW, (number >> 32n) & LOW]) {
          const bits = Number(half) | 0
          a = Math.imul(a ^ bits, 0x0100_0193) ^ (a >>> 13)
          b = Math.imul(b + bits, 0x2c1b_3c6d) ^ (b >>> 15)
        }
      files++
      first = (first + a) | 0
      second = (second + b) | 0
    },
    get sums(): Sums | null {
      return areSettled ? [files, first, second] : null
    },
  }
}

const LOW = 0xffff_ffffn

/** What tells the versions of the files of several sums, of which there are as many as counted. Null: they may be others without that it tells. */
export function keyOfVersions(sums: readonly VersionSum[], files: number): string | null {
  let total: Sums = [0, 0, 0]
  for (const { sums: each } of sums) {
    if (each === null) return null
    total = [total[0] + each[0], (total[1] + each[1]) | 0, (total[2] + each[2]) | 0]
  }
  // Of stores no versions are taken, and of links to a file that counts by itself more than it.
  return total[0] === files ? total.join(' ') : null
}
