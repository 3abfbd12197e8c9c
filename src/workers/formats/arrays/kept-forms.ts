import { createLru } from '../../../plan/lru.ts'
import { memoize } from '../../../plan/memoize.ts'
import { fileKey, isFileSettled } from '../../../plan/source/file.ts'
import type { HeldBytes, ReadContext } from '../provider.ts'
import type { ArrayReader, FormedFile } from './array-file.ts'

/** The most numbers of all files that are kept by a reader: 8 MB, of some ten thousand files with 64 arrays. */
const KEPT_NUMBERS = 1 << 20

/** What a file takes besides its own numbers, counted in numbers. */
const FILE_NUMBERS = 24

/**
 * Headers with so many arrays take longer to compare than to find by the version of the file: 64 take 8 µs with warm code, 4 take 2, and to find them
 * takes 2.
 */
const LEAST_ARRAYS = 16

/** What the metadata of small files say as numbers of a form. */
export type FormedFiles = (held: HeldBytes, context: ReadContext) => FormedFile | undefined

/**
 * As `ArrayReader.formed`, which is asked once for each version of a file if it parses the metadata, or compares long ones: what was found out to inspect
 * the file is not found out again to read it.
 */
export const formedFiles = memoize((reader: ArrayReader): FormedFiles => {
  const { formed, areFormsParsed = false } = reader
  if (formed === undefined) return () => undefined
  const filesByVersion = createLru<FormedFile>(KEPT_NUMBERS, weightOf)
  const isKept = ({ numbers }: FormedFile): boolean => areFormsParsed || numbers.begins.length >= LEAST_ARRAYS
  return (held, context) => {
    const { file, isCaching } = held
    if (!isCaching) return formed(held, context)
    // Where nothing is kept no key is made for each file.
    const earlier = filesByVersion.size === 0 ? undefined : filesByVersion.get(fileKey(file))
    if (earlier !== undefined) return earlier
    const formedFile = formed(held, context)
    if (formedFile !== undefined && isKept(formedFile) && isFileSettled(file))
      filesByVersion.put(fileKey(file), formedFile)
    return formedFile
  }
})

function weightOf({ numbers: { sizes, texts, begins } }: FormedFile): number {
  return FILE_NUMBERS + sizes.length + texts.length + begins.length
}
