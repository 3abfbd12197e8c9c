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

/**
 * The most files, and the most columns of those of arrays together. A column of a file of arrays takes up to a kilobyte, and what is kept for long is
 * garbage that V8 collects late: each thread's heap grows to three times what it keeps.
 */
const MOST_FILES = 64
const MOST_COLUMNS = 8192

/** A file of arrays counts for so many at least, and one of very many columns does not drive all others out. */
const LEAST_WEIGHT = MOST_COLUMNS / MOST_FILES
const MOST_WEIGHT = MOST_COLUMNS / 4

export function createOpenFiles(): OpenFiles {
  const files = createLru<OpenFile>(MOST_COLUMNS, ({ keptColumns = 0 }) =>
    Math.min(MOST_WEIGHT, Math.max(LEAST_WEIGHT, keptColumns)),
  )
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
