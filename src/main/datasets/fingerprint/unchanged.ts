import { setImmediate } from 'node:timers/promises'
import { isServiceError } from '../../../plan/errors.ts'
import { type FileVersion, hasVersion } from '../../../plan/source/version.ts'
import { isMissing } from '../file-errors.ts'
import type { DatasetFiles } from '../file-system/dataset-files.ts'
import type { Fingerprint } from './fingerprint.ts'

/** Entries checked in one turn of the event loop: half a millisecond of it. */
const CHECKS_PER_TURN = 256

/** Entries on network file systems that are checked at the same time. */
const CONCURRENT_CHECKS = 64

/**
 * Whether everything in a verifiable fingerprint is as it was. Entries on local file systems are checked by synchronous
 * calls: one takes 2 µs, and 9 µs in the thread pool. Those on network file systems, where a call may hang, are checked by
 * asynchronous ones. Rejects with `path_unavailable`.
 */
export async function isUnchanged(fingerprint: Fingerprint, files: DatasetFiles): Promise<boolean> {
  try {
    return await isSame(fingerprint, files)
  } catch (error) {
    if (isServiceError(error)) throw error
    // The search had no such error, so something has changed.
    return false
  }
}

async function isSame({ realpaths, versions, lists }: Fingerprint, files: DatasetFiles): Promise<boolean> {
  const remote: (() => Promise<boolean>)[] = []
  let checks = 0
  for (const [path, location] of realpaths) {
    if (!files.isLocal(path, location)) remote.push(() => leadsTo(files, path, location))
    else if (!leadsToSync(files, path, location)) return false
    if (++checks % CHECKS_PER_TURN === 0) await setImmediate()
  }
  /** False: it is another version. */
  const check = (location: string, version: FileVersion): boolean => {
    if (!files.isLocal(location, location)) remote.push(() => isVersion(files, location, version))
    else {
      const stats = files.lstatSync(location)
      if (stats === undefined || !hasVersion(stats, version)) return false
    }
    return true
  }
  for (const [location, version] of versions) {
    if (!check(location, version)) return false
    if (++checks % CHECKS_PER_TURN === 0) await setImmediate()
  }
  for (const list of lists)
    for (const { location, version } of await list.files()) {
      if (!check(location, version)) return false
      if (++checks % CHECKS_PER_TURN === 0) await setImmediate()
    }
  for (let i = 0; i < remote.length; i += CONCURRENT_CHECKS) {
    const same = await Promise.all(remote.slice(i, i + CONCURRENT_CHECKS).map((check) => check()))
    if (same.includes(false)) return false
  }
  return true
}

/** Whether a path still leads to a location, symbolic links followed. Null: whether there is still nothing. */
function leadsToSync(files: DatasetFiles, path: string, location: string | null): boolean {
  // Most paths to nothing are patterns. For them `lstatSync` is cheaper: it makes no error object.
  if (location === null) return files.lstatSync(path) === undefined
  return files.realpathSync(path) === location
}

async function leadsTo(files: DatasetFiles, path: string, location: string | null): Promise<boolean> {
  try {
    return (await files.realpath(path)) === location
  } catch (error) {
    if (isMissing(error)) return location === null
    throw error
  }
}

async function isVersion(files: DatasetFiles, location: string, version: FileVersion): Promise<boolean> {
  return hasVersion(await files.lstat(location), version)
}
