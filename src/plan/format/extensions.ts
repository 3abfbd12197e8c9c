import type { FormatRow } from './format-row.ts'

/** The last extensions of files that are compressed as a whole. */
const COMPRESSED = ['gz', 'zst', 'zstd', 'xz', 'bz2']

/** An extension of the files of a format, and those of such files that are compressed, if they may be. */
export function withCompressed(
  { mayBeCompressed }: Pick<FormatRow, 'mayBeCompressed'>,
  extension: string,
): readonly string[] {
  return mayBeCompressed === true
    ? [extension, ...COMPRESSED.map((each) => `${extension}.${each}`)]
    : [extension]
}

/** What may be the extension of the last name of a path, in lower case: the last one, and the last two. */
export function extensionsOf(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const [last = '', before = ''] = name.split('.').slice(1).reverse()
  return before === '' ? [last] : [last, `${before}.${last}`]
}
