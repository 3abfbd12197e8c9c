/**
 * What a file was when the query began. Equal versions hold equal bytes, unless somebody rewrites a file within
 * one tick of the kernel's clock.
 */
export interface FileVersion {
  readonly device: bigint
  readonly inode: bigint
  /** Bytes. */
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

/** Of what `stat` says, in integers. */
export function versionOf(stats: {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}): FileVersion {
  return Object.freeze({
    device: stats.dev,
    inode: stats.ino,
    size: stats.size,
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
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

/** A version is asked for its key for each of its units, and bigints are slow to print. */
const versionKeys = new WeakMap<FileVersion, string>()

/** The version as one string, to key caches. */
export function versionKey(version: FileVersion): string {
  const known = versionKeys.get(version)
  if (known !== undefined) return known
  const { device, inode, size, mtimeNs, ctimeNs } = version
  const key = `${device}:${inode}:${size}:${mtimeNs}:${ctimeNs}`
  versionKeys.set(version, key)
  return key
}

/** A file changed within one tick of the kernel's clock may change again under the same version. */
export const CLOCK_TICK_MS = 20

/** A single `write(2)` notes its time before it copies, and may copy as slowly as the disk writes: bytes a millisecond. */
const COPIED_BYTES = 100_000

/** From when on what is learned of a version may be kept: nobody is writing to it any more. Milliseconds since 1970. */
export function settledAt({ ctimeNs, size }: FileVersion): number {
  return millisecondsOf(ctimeNs) + CLOCK_TICK_MS + Number(size) / COPIED_BYTES
}

/** Whether what is learned of this version, looked at `now` (milliseconds since 1970), may be kept. */
export function isSettled(version: FileVersion, now = Date.now()): boolean {
  return now >= settledAt(version)
}

/** Whole milliseconds of a time in nanoseconds. */
export function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n)
}
