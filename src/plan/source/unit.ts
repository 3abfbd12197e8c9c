import type { Scalar } from '../types/scalar.ts'
import type { Schema } from '../types/schema.ts'
import type { BoxRange, RowsRange, TextRange } from './range.ts'

/**
 * What a file was when the query began. Equal versions hold equal bytes, unless somebody rewrites a file within
 * one tick of the kernel's clock (design.md, "Caches").
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

/** Whether what is learned of this version, looked at `now` (milliseconds since 1970), may be kept. */
export function isSettled(version: FileVersion, now = Date.now()): boolean {
  return now - Number(version.ctimeNs / 1_000_000n) >= CLOCK_TICK_MS + Number(version.size) / COPIED_BYTES
}

/** A file of a query: `path` is what the user sees (relative to the dataset root), `location` what is opened. */
export interface FileRef {
  readonly path: string
  readonly location: string
  readonly version: FileVersion
}

/**
 * What a file says of one column in one segment. Absent members are not known. `min` and `max` bound every value
 * that is neither null nor NaN; they are bounds, not necessarily values that occur.
 */
export interface ColumnStatistics {
  readonly min?: Scalar
  readonly max?: Scalar
  /** Set where the bound is a value that occurs, and no other value, nor NaN, is beyond it. */
  readonly isMinExact?: true
  readonly isMaxExact?: true
  readonly nulls?: number
}

/** A run of rows that a format keeps together and has statistics of: a Parquet row group, an Arrow record batch. */
export interface Segment {
  /** Null: not known before it is read (a block of a text file). Such a segment is one unit. */
  readonly rows: number | null
  /** Estimated bytes of each top-level column once decoded, in the order of the file's schema. */
  readonly decodedBytes: readonly number[]
  /** Bytes of each top-level column in the file. */
  readonly storedBytes: readonly number[]
}

/** What `inspect` learns of a file without reading rows. */
export interface FileSummary {
  readonly schema: Schema
  readonly segments: readonly Segment[]
  /** For each column asked for, its statistics segment by segment; null where the file has none. */
  readonly statistics: Readonly<Record<string, readonly (ColumnStatistics | null)[]>>
}

/** Neighbouring rows: the first, and the one behind the last. */
export interface RowRun {
  readonly from: number
  readonly to: number
}

/** The smallest piece of a scan that one task carries to a worker. Its rows are counted from 0. */
export type Unit = RowsUnit | BoxUnit | TextUnit
export type RowsUnit = RowsRange & OfScan
export type BoxUnit = BoxRange & OfScan
export type TextUnit = TextRange & OfScan

/** What every unit says besides which rows it has. */
interface OfScan {
  /** Index into the scan's files. */
  readonly file: number
  /** Estimated decoded bytes of the columns that the scan reads. */
  readonly decodedBytes: number
}
