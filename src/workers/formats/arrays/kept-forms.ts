import { createLru } from '../../../plan/lru.ts'
import { memoize } from '../../../plan/memoize.ts'
import { fileKey, isFileSettled } from '../../../plan/source/file.ts'
import type { HeldBytes, ReadContext } from '../provider.ts'
import type { ArrayReader, FormedFile } from './array-file.ts'

/** The most numbers of all files that are kept by a reader: 8 MB, of some ten thousand files with 64 arrays. */
const KEPT_NUMBERS = 1 << 20

/** What a file takes besides its own numbers, counted in numbers. */
const FILE_NUMBERS = 24

/** What the metadata of small files say as numbers of a form. */
export type FormedFiles = (held: HeldBytes, context: ReadContext) => FormedFile | undefined

/**
 * As `ArrayReader.formed`. If that parses the metadata it is asked once for each version of a file: what was parsed to inspect the file is not parsed
 * again to read it.
 */
export const formedFiles = memoize((reader: ArrayReader): FormedFiles => {
  const { formed, areFormsParsed = false } = reader
  if (formed === undefined) return () => undefined
  if (!areFormsParsed) return formed
  const filesByVersion = createLru<FormedFile>(KEPT_NUMBERS, weightOf)
  return (held, context) => {
    const { file, isCaching } = held
    if (!isCaching) return formed(held, context)
    const key = fileKey(file)
    const earlier = filesByVersion.get(key)
    if (earlier !== undefined) return earlier
    const formedFile = formed(held, context)
    if (formedFile !== undefined && isFileSettled(file)) filesByVersion.put(key, formedFile)
    return formedFile
  }
})

function weightOf({ numbers: { sizes, texts, begins } }: FormedFile): number {
  return FILE_NUMBERS + sizes.length + texts.length + begins.length
}
