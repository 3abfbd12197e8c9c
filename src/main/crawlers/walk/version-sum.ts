import { type FileVersion, isSettled } from '../../../plan/source/version.ts'
import { putVersion, VERSION_NUMBERS } from '../../../plan/source/version-numbers.ts'

/** Tells whether files are the same versions as in an earlier walk, whatever the order in which they are met. */
export interface VersionSum {
  /** `requestedAt`: a time at or before the `stat`, in milliseconds since 1970. */
  add(folder: FolderHash, name: string, version: FileVersion, requestedAt: number): void
  /** The number and two sums of 32 bits. Null: a file may change once more without another version, or has none. */
  readonly sums: Sums | null
}

type Sums = readonly [files: number, first: number, second: number]

/** Two hashes of the path of a folder, with which those of its files begin. */
export interface FolderHash {
  readonly first: number
  readonly second: number
}

/** The hash of the folder of a file by its path. */
export function hashFolder(path: string): FolderHash {
  const [first, second] = [hashFirst(FIRST_SEED, path), hashSecond(SECOND_SEED, path)]
  // What comes before a name and after it is told apart, since no name has a slash.
  return { first: hashFirst(first, '/'), second: hashSecond(second, '/') }
}

export function createVersionSum(): VersionSum {
  let [files, first, second] = [0, 0, 0]
  let areSettled = true
  return {
    add(folder, name, version, requestedAt) {
      areSettled &&= isSettled(version, requestedAt)
      putVersion(NUMBERS, 0, version)
      let a = hashFirst(folder.first, name)
      let b = hashSecond(folder.second, name)
      for (let at = 0; at < WORDS.length; at++) {
        const word = WORDS[at] ?? 0
        a = Math.imul(a ^ word, 0xcc9e_2d51)
        a ^= a >>> 15
        b = Math.imul(b ^ word, 0x1b87_3593)
        b ^= b >>> 13
      }
      files++
      first = (first + mix(a)) | 0
      second = (second + mix(b)) | 0
    },
    get sums(): Sums | null {
      return areSettled ? [files, first, second] : null
    },
  }
}

/** The numbers of a version, and the words of 32 bits that they consist of. Computing with bigints takes ten times as long. */
const NUMBERS = new BigInt64Array(VERSION_NUMBERS)
const WORDS = new Uint32Array(NUMBERS.buffer)

const FIRST_SEED = 0x9e37_79b1
const SECOND_SEED = 0x85eb_ca6b

/** FNV-1a over units of UTF-16. */
function hashFirst(hash: number, text: string): number {
  let next = hash
  for (let at = 0; at < text.length; at++) next = Math.imul(next ^ text.charCodeAt(at), 0x0100_0193)
  return next
}

/** The steps of MurmurHash3 over units of UTF-16. */
function hashSecond(hash: number, text: string): number {
  let next = hash
  for (let at = 0; at < text.length; at++) {
    next ^= Math.imul(text.charCodeAt(at), 0xcc9e_2d51)
    next = Math.imul((next << 13) | (next >>> 19), 5) + 0xe654_6b64
  }
  return next
}

/** The last step of MurmurHash3, after which each bit depends on all bits. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35)
  return mixed ^ (mixed >>> 16)
}

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
