import { type BigIntStats, constants, lstatSync } from 'node:fs'
import { isServiceError, ServiceError } from '../../plan/errors.ts'
import { type FileVersion, hasContentOf, hasVersion } from '../../plan/source/version.ts'

/** Opening does not block: a FIFO that was put in place of a file must not stop the worker. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/** Throws `file_changed` unless a file is still the version that was planned, by `stat`. */
export function requireVersion(path: string, planned: FileVersion, stat: () => BigIntStats): void {
  requireStats(path, planned, attempt(path, stat))
}

/** Throws `file_changed` unless an open file still has the bytes of the version that was planned, by `fstat`. */
export function requireContent(path: string, planned: FileVersion, stat: () => BigIntStats): void {
  if (!hasContentOf(attempt(path, stat), planned)) throw changed(path)
}

/** Throws `file_changed` unless these are the stats of the version that was planned. */
export function requireStats(path: string, planned: FileVersion, stats: BigIntStats): void {
  if (!stats.isFile()) throw new ServiceError('file_changed', `"${path}" is no longer a regular file.`)
  if (!hasVersion(stats, planned)) throw changed(path)
}

/** The stats of what is at a location, not following links. Undefined: nothing is there. Throws `unreadable_file`. */
export function lstatIfAny(path: string, location: string): BigIntStats | undefined {
  return attempt(path, () => {
    try {
      return lstatSync(location, { bigint: true, throwIfNoEntry: false })
    } catch (error) {
      // A part of the path is a file.
      if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
      throw error
    }
  })
}

/**
 * Throws `file_changed` if something changed after the query was planned: other tasks may have read what was there before.
 */
export function requirePlanned(path: string, changedAt: bigint, plannedAt: bigint | null): void {
  if (plannedAt !== null && changedAt >= plannedAt) throw changed(path)
}

export function changed(path: string): ServiceError {
  return new ServiceError('file_changed', `"${path}" was changed while it was being queried; ask again.`)
}

/** Runs system calls about a file that was planned. Throws `file_changed` if the file is gone, else `unreadable_file`. */
export function attempt<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw failureOf(path, cause)
  }
}

/** The error of a file that was planned, by what a system call about it has thrown. */
export function failureOf(path: string, cause: unknown): ServiceError {
  if (isServiceError(cause)) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new ServiceError('file_changed', `"${path}" was removed while it was being queried.`, { cause })
  return new ServiceError('unreadable_file', `"${path}" cannot be read: ${code}.`, { cause })
}
