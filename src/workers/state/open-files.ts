import type { FileFormat } from '../../plan/format/file-format.ts'
import { createRecent } from '../../plan/recent.ts'
import { type FileVersion, isSettled, versionKey } from '../../plan/source/version.ts'
import type { OpenFile } from '../formats/provider.ts'

/** Parsed file metadata of the files used last, so that a unit does not read the footer again. */
export interface OpenFiles {
  get(format: FileFormat, version: FileVersion): OpenFile | undefined
  put(format: FileFormat, version: FileVersion, file: OpenFile): void
}

export function createOpenFiles(capacity: number): OpenFiles {
  const files = createRecent<OpenFile>(capacity)
  return {
    get: (format, version) => files.get(keyOf(format, version)),
    put(format, version, file) {
      if (isSettled(version)) files.put(keyOf(format, version), file)
    },
  }
}

function keyOf(format: FileFormat, version: FileVersion): string {
  return `${format.key}:${versionKey(version)}`
}
