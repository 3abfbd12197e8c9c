import type { FileFormat } from '../../plan/format/file-format.ts'
import { createLru } from '../../plan/lru.ts'
import { type FileRef, fileKey, isFileSettled } from '../../plan/source/file.ts'
import type { OpenFile } from '../formats/provider.ts'

/** A cache of opened datasets, by their versions, so that the metadata is not read again for each unit. */
export interface OpenFiles {
  get(format: FileFormat, file: FileRef): OpenFile | undefined
  put(format: FileFormat, file: FileRef, opened: OpenFile): void
  remove(format: FileFormat, file: FileRef): void
}

export function createOpenFiles(capacity: number): OpenFiles {
  const files = createLru<OpenFile>(capacity)
  return {
    get: (format, file) => files.get(keyOf(format, file)),
    put(format, file, opened) {
      // Of a table of another service the units of one query use it: each fetch has a version of its own.
      if (isFileSettled(file) || file.fetched !== undefined) files.put(keyOf(format, file), opened)
    },
    remove: (format, file) => files.remove(keyOf(format, file)),
  }
}

function keyOf(format: FileFormat, file: FileRef): string {
  return `${format.key}:${fileKey(file)}`
}
