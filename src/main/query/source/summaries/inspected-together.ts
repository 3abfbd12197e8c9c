import type { FileRef } from '../../../../plan/source/file.ts'

/** The most files of one task, and the most bytes of them together. A larger file is inspected by itself. */
const MOST = Object.freeze({ files: 256, bytes: 4 << 20 })

/** The error of a file, by its index. */
export interface FileError {
  readonly index: number
  readonly error: unknown
}

/**
 * Calls `ask` for all files of `indexes`, for those together that one task inspects. At most `lanes` calls run at once, and as many as
 * there are files for. Returns the error of the first file that cannot be read; null: there is none. After an error no further call is
 * begun, but those that run come to their end, so that what they find can be kept. Rejects as soon as `ask` rejects.
 */
export async function inspectTogether(
  indexes: readonly number[],
  files: readonly FileRef[],
  lanes: number,
  ask: (together: readonly number[], signal: AbortSignal) => Promise<FileError | null>,
): Promise<FileError | null> {
  if (indexes.length === 0) return null
  const remaining = [...indexes].reverse()
  const most = Math.min(MOST.files, Math.ceil(indexes.length / lanes))
  const failed = new AbortController()
  let first: FileError | null = null
  const askNext = async (): Promise<void> => {
    while (remaining.length > 0 && !failed.signal.aborted) {
      const error = await ask(takeTogether(remaining, files, most), failed.signal)
      if (error === null) continue
      if (first === null || error.index < first.index) first = error
      failed.abort()
    }
  }
  await Promise.all(Array.from({ length: Math.min(indexes.length, lanes) }, askNext))
  return first
}

/** Takes the next indexes, which are the last ones of `remaining`, whose files are inspected in one task. A folder is inspected by itself. */
function takeTogether(remaining: number[], files: readonly FileRef[], most: number): readonly number[] {
  const taken: number[] = []
  let bytes = 0
  for (let index = remaining.at(-1); index !== undefined && taken.length < most; index = remaining.at(-1)) {
    const file = files[index]
    if (file === undefined) throw new RangeError(`file ${index} of ${files.length}`)
    bytes += Number(file.version.size)
    if (taken.length > 0 && (file.folder !== undefined || bytes > MOST.bytes)) break
    taken.push(index)
    remaining.pop()
    if (file.folder !== undefined) break
  }
  return taken
}
