import { getOrMake } from '../../../plan/get-or-make.ts'
import type { DatasetFiles } from '../file-system/dataset-files.ts'
import type { Fingerprint } from './fingerprint.ts'
import { isUnchanged } from './unchanged.ts'

/**
 * `isUnchanged`, with one check for all who ask about the same fingerprint before it begins. A check that has begun is not
 * joined: it may have passed over a file that changed since.
 */
export function createSharedChecks(files: DatasetFiles): (fingerprint: Fingerprint) => Promise<boolean> {
  /** Checks that have not begun. */
  const checks = new Map<Fingerprint, Promise<boolean>>()
  return (fingerprint) => {
    const begin = () =>
      new Promise<boolean>((resolve) => {
        setImmediate(() => {
          checks.delete(fingerprint)
          resolve(isUnchanged(fingerprint, files))
        })
      })
    return getOrMake(checks, fingerprint, begin)
  }
}
