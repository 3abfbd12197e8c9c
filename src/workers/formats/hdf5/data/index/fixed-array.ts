import { fault } from '../../../fault.ts'
import { createCursor } from '../structures/cursor.ts'
import type { Structures } from '../structures/structures.ts'
import { type ChunkGrid, type ChunkIndex, fixedCounts, linearNumber } from './chunk-grid.ts'
import { entryForm } from './entry.ts'
import { CHECKSUM_BYTES, readPaged } from './paged-entries.ts'

/** A page of an array has at most 2 to the power of so many entries. The library writes 10. */
export const MAX_PAGE_BITS = 20

/** The index of datasets that cannot grow: an array of entries, in C order of the chunks. Long ones are stored in pages. */
export function openFixedArray(structures: Structures, grid: ChunkGrid, address: number): ChunkIndex {
  const { addressBytes, lengthBytes } = structures
  const counts = fixedCounts(grid)
  const head = createCursor(
    structures.readChecked(address, 12 + lengthBytes + addressBytes, 'FAHD'),
    structures,
  )
  head.skip(4)
  head.version(0, 'an index of chunks')
  head.skip(1)
  const form = entryForm(grid, structures, head.uint(1))
  const pageBits = head.uint(1)
  const entries = head.length()
  const block = head.address()
  if (pageBits > MAX_PAGE_BITS) throw fault(`an index of chunks has pages of 2^${pageBits} entries`)
  if (block === null) return () => null
  const perPage = 2 ** pageBits
  const prefixBytes = 6 + addressBytes
  const pageCount = entries > perPage ? Math.ceil(entries / perPage) : 0
  const headBytes =
    prefixBytes + (pageCount > 0 ? Math.ceil(pageCount / 8) : entries * form.bytes) + CHECKSUM_BYTES

  return (position) => {
    const number = linearNumber(position, counts)
    if (number >= entries) throw fault(`an index of chunks has ${entries} entries and not entry ${number}`)
    const view = structures.readChecked(block, headBytes, 'FADB')
    if (pageCount === 0) return form.read(view, prefixBytes + number * form.bytes)
    const pages = { address: block + headBytes, entries, perPage, written: view, writtenFrom: prefixBytes }
    return readPaged(structures, form, pages, number)
  }
}
