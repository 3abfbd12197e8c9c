import type { DatasetFiles } from '../file-system/dataset-files.ts'
import type { Trail } from './fingerprint.ts'
import { isUnchanged } from './unchanged.ts'

/** As `isUnchanged`; one look tells all who have asked before it begins. */
export function createLooks(files: DatasetFiles): (trail: Trail) => Promise<boolean> {
  /** Looks that have not begun. */
  const looks = new Map<Trail, Promise<boolean>>()
  return (trail) => {
    const asked = looks.get(trail)
    if (asked !== undefined) return asked
    const look = new Promise<boolean>((resolve) => {
      setImmediate(() => {
        looks.delete(trail)
        resolve(isUnchanged(trail, files))
      })
    })
    looks.set(trail, look)
    return look
  }
}
