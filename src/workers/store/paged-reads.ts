import type { ByteSource } from './byte-source.ts'

/** Bytes that are read in one go. From the page cache they take 2 µs more than some hundred bytes do. */
const PAGE_BYTES = 16 << 10

/** The most pages that are held: 4 MiB. */
const MOST_PAGES = 256

/**
 * A source for many small reads that lie near each other. It reads whole pages, and returns views of them: bytes that it has read must not be
 * changed. Throws what the source throws.
 */
export function pagedReads(source: ByteSource): ByteSource {
  const pages = new Map<number, Uint8Array>()

  function pageAt(from: number): Uint8Array {
    const held = pages.get(from)
    if (held !== undefined) return held
    const page = source.read(from, Math.min(PAGE_BYTES, source.size - from))
    if (pages.size === MOST_PAGES) pages.clear()
    pages.set(from, page)
    return page
  }

  return {
    ...source,
    read(offset, length) {
      const inPage = offset % PAGE_BYTES
      const isInPage =
        inPage + length <= PAGE_BYTES && offset + length <= source.size && offset >= 0 && length >= 0
      if (!isInPage) return source.read(offset, length)
      return pageAt(offset - inPage).subarray(inPage, inPage + length)
    },
    // Views keep their pages, which the garbage collector frees.
    release() {},
  }
}
