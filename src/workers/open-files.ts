import { type FileFormat, formatKey } from '../plan/plan.ts'
import { type FileVersion, isSettled, versionKey } from '../plan/unit.ts'
import type { OpenFile } from './formats/provider.ts'

/** Parsed file metadata of the files used last, so that a unit does not read the footer again. */
export interface OpenFiles {
  get(format: FileFormat, version: FileVersion): OpenFile | undefined
  put(format: FileFormat, version: FileVersion, file: OpenFile): void
}

export function createOpenFiles(capacity: number): OpenFiles {
  const files = new Map<string, OpenFile>()
  return {
    get(format, version) {
      const key = `${formatKey(format)}:${versionKey(version)}`
      const file = files.get(key)
      if (file) {
        files.delete(key)
        files.set(key, file)
      }
      return file
    },
    put(format, version, file) {
      if (!isSettled(version)) return
      files.set(`${formatKey(format)}:${versionKey(version)}`, file)
      for (const oldest of files.keys()) {
        if (files.size <= capacity) break
        files.delete(oldest)
      }
    },
  }
}
