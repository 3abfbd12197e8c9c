import { memoize } from '../memoize.ts'

/**
 * The version of a file. Files with equal versions have equal bytes, unless a file was rewritten within one tick of the kernel's
 * clock (`isSettled`).
 */
export interface FileVersion {
  readonly device: bigint
  readonly inode: bigint
  /** Bytes. */
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

/** What the result of `stat` with bigints says of the version. */
interface VersionStats {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

/** The device of the last version that was made. */
let lastDevice = 0n

/**
 * The version of a file by the result of `stat`. Main keeps that of each file of a query, and a bigint takes 24 bytes: most files are on the
 * device of the last one, and have not changed since they were written.
 */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: VersionStats): FileVersion {
  if (dev !== lastDevice) lastDevice = dev
  return Object.freeze({
    device: lastDevice,
    inode: ino,
    size,
    mtimeNs,
    ctimeNs: ctimeNs === mtimeNs ? mtimeNs : ctimeNs,
  })
}

export function sameVersion(a: FileVersion, b: FileVersion): boolean {
  return (
    a.inode === b.inode &&
    a.ctimeNs === b.ctimeNs &&
    a.mtimeNs === b.mtimeNs &&
    a.size === b.size &&
    a.device === b.device
  )
}

/** Whether the result of `stat` is that of a version. It makes no object: main asks for each file of a query. */
export function hasVersion(stats: VersionStats, version: FileVersion): boolean {
  return (
    stats.ino === version.inode &&
    stats.ctimeNs === version.ctimeNs &&
    stats.mtimeNs === version.mtimeNs &&
    stats.size === version.size &&
    stats.dev === version.device
  )
}

/**
 * Whether what `fstat` says of an open file is that of a version, or of a file of that version that has no name any more: to replace or to remove a file sets its
 * ctime, but what is open stays as it is, and nobody can open it by a path to write to it.
 */
export function hasContentOf(
  stats: VersionStats & { readonly nlink: bigint },
  version: FileVersion,
): boolean {
  return hasVersion(stats.nlink === 0n ? { ...stats, ctimeNs: version.ctimeNs } : stats, version)
}

/**
 * The version as a part of cache keys. Each unit of a file needs it, and printing bigints is slow. It is joined, because V8 keeps the nine
 * parts of a template, which take 300 bytes more.
 */
export const versionKey = memoize((version: FileVersion): string => {
  if (last === null || !sameVersion(last.version, version)) {
    const { device, inode, size, mtimeNs, ctimeNs } = version
    last = { version, key: [device, inode, size, mtimeNs, ctimeNs].join(':') }
  }
  return last.key
})

/** The last version that was printed: each message to a worker has the version of its file as another object. */
let last: { readonly version: FileVersion; readonly key: string } | null = null

/** An upper bound for a tick of the kernel's clock. Within one a file may change again and keep its version. */
export const CLOCK_TICK_MS = 20

/** Bytes per millisecond that `write(2)` copies at least, on a slow disk. It sets the time of the file before it copies. */
const COPIED_BYTES_PER_MS = 100_000

const NS_PER_MS = 1_000_000

/** The time after which results of reading a version may be cached: no write of it is under way any more. Milliseconds since 1970. */
export function settledAt({ ctimeNs, size }: Pick<FileVersion, 'ctimeNs' | 'size'>): number {
  return Number(ctimeNs) / NS_PER_MS + CLOCK_TICK_MS + Number(size) / COPIED_BYTES_PER_MS
}

/** Whether results of reading a version may be cached. `now` is when its `stat` was requested, in milliseconds since 1970. */
export function isSettled(version: Pick<FileVersion, 'ctimeNs' | 'size'>, now = Date.now()): boolean {
  return now >= settledAt(version)
}

/** Whole milliseconds of a time in nanoseconds. */
export function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n)
}

/** The version of which `versionKey` gave the key. */
export function versionOfKey(key: string): FileVersion {
  const [device = 0n, inode = 0n, size = 0n, mtimeNs = 0n, ctimeNs = 0n] = key.split(':').map(BigInt)
  return Object.freeze({ device, inode, size, mtimeNs, ctimeNs })
}
