import type { Format } from '../plan/plan.ts'
import type { FileVersion } from '../plan/unit.ts'
import type { OpenFile } from './formats/provider.ts'

/** Parsed file metadata of the files used last, so that a unit does not read the footer again. */
export interface OpenFiles {
  get(format: Format, version: FileVersion): OpenFile | undefined
  put(format: Format, version: FileVersion, file: OpenFile): void
}

/** Nanoseconds. A file changed within one tick of the kernel's clock may change again under the same version. */
const CLOCK_TICK_NS = 20_000_000n

export function createOpenFiles(capacity: number): OpenFiles {
  const files = new Map<string, OpenFile>()
  const keyOf = (format: Format, v: FileVersion): string =>
    `${format}:${v.device}:${v.inode}:${v.size}:${v.mtimeNs}:${v.ctimeNs}`
  return {
    get(format, version) {
      const key = keyOf(format, version)
      const file = files.get(key)
      if (file) {
        files.delete(key)
        files.set(key, file)
      }
      return file
    },
    put(format, version, file) {
      if (BigInt(Date.now()) * 1_000_000n - version.ctimeNs < CLOCK_TICK_NS) return
      files.set(keyOf(format, version), file)
      for (const oldest of files.keys()) {
        if (files.size <= capacity) break
        files.delete(oldest)
      }
    },
  }
}
