import { isServiceError } from '../../../../plan/errors.ts'
import type { HeldRanges, Range } from '../../read-ranges.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { PageType } from '../metadata/metadata.ts'
import { type Page, readPages, valuesOf } from './pages.ts'

/**
 * The pages in a range of a chunk. If the range is the whole chunk and begins with a dictionary page, its length may lack that
 * of this page's header (`MAX_UNCOUNTED_BYTES` in chunks.ts). The last pages are then read from the bytes after it as well.
 */
export function pagesOf(range: Range, chunk: Chunk, stored: HeldRanges): readonly Page[] {
  const bytes = stored.of(range)
  const pages: Page[] = []
  let fault: unknown = null
  try {
    for (const page of readPages(bytes)) pages.push(page)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    fault = error
  }
  const rest = uncountedPages(pages, bytes, range, chunk, stored)
  if (rest !== null) return [...pages, ...rest]
  if (fault !== null) throw fault
  return pages
}

/** The pages after `pages`, if they have exactly the values that the chunk lacks. Null: there are no such pages. */
function uncountedPages(
  pages: readonly Page[],
  bytes: Uint8Array,
  range: Range,
  { start, length, uncounted, metaData }: Chunk,
  stored: HeldRanges,
): readonly Page[] | null {
  if (range.offset !== start || range.length !== length || uncounted === 0) return null
  const [first, last] = [pages[0], pages.at(-1)]
  if (first?.header.type !== PageType.dictionary || last === undefined) return null
  const lacking = metaData.values - valuesIn(pages)
  if (lacking <= 0) return null
  const read = last.body.byteOffset - bytes.byteOffset + last.body.length
  try {
    const more = stored.of({ offset: start + read, length: length - read + uncounted })
    const rest = [...readPages(more, lacking)]
    return valuesIn(rest) === lacking ? rest : null
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

function valuesIn(pages: readonly Page[]): number {
  return pages.reduce((sum, { header }) => sum + (valuesOf(header) ?? 0), 0)
}

function isUnreadable(error: unknown): boolean {
  return isServiceError(error) && error.code === 'unreadable_file'
}
