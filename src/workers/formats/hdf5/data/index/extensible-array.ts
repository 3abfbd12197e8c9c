import { fault } from '../../../fault.ts'
import { addressAt, createCursor } from '../structures/cursor.ts'
import type { Structures } from '../structures/structures.ts'
import { type ChunkGrid, type ChunkIndex, linearNumber, type StoredChunk } from './chunk-grid.ts'
import { entryForm } from './entry.ts'
import { MAX_PAGE_BITS } from './fixed-array.ts'
import { CHECKSUM_BYTES, readPaged } from './paged-entries.ts'

/**
 * The index of datasets that may grow along one dimension: an array of entries, in C order of the chunks with that dimension first.
 * The first entries are in the index block. The others are in data blocks. Group `g` has 2^⌊g / 2⌋ blocks of
 * 2^⌈g / 2⌉ times the least number of entries. The index block has the addresses of the blocks of the first groups, and those of
 * secondary blocks, which have the addresses of the blocks of one group each.
 */
export function openExtensibleArray(structures: Structures, grid: ChunkGrid, address: number): ChunkIndex {
  const { addressBytes, lengthBytes } = structures
  const head = createCursor(
    structures.readChecked(address, 16 + 6 * lengthBytes + addressBytes, 'EAHD'),
    structures,
  )
  head.skip(4)
  head.version(0, 'an index of chunks')
  head.skip(1)
  const form = entryForm(grid, structures, head.uint(1))
  const entryBits = head.uint(1)
  const inIndexBlock = head.uint(1)
  const leastEntries = head.uint(1)
  const leastBlocks = head.uint(1)
  const pageBits = head.uint(1)
  head.skip(4 * lengthBytes)
  const entries = head.length()
  head.skip(lengthBytes)
  const indexBlock = head.address()
  const [leastEntryBits, leastBlockBits] = [Math.log2(leastEntries), Math.log2(leastBlocks)]
  const areSound =
    Number.isInteger(leastEntryBits) &&
    Number.isInteger(leastBlockBits) &&
    leastBlockBits >= 1 &&
    pageBits <= MAX_PAGE_BITS &&
    entryBits <= 52 &&
    entryBits - leastEntryBits + 1 >= 2 * leastBlockBits
  if (!areSound) throw fault('an index of chunks has sizes that cannot be')
  if (indexBlock === null) return () => null

  const perPage = 2 ** pageBits
  const offsetBytes = Math.ceil(entryBits / 8)
  const blockPrefixBytes = 6 + addressBytes + offsetBytes
  const groupCount = 1 + entryBits - leastEntryBits
  // The blocks of so many groups have their addresses in the index block.
  const directGroups = 2 * leastBlockBits
  const directBlocks = 2 * (leastBlocks - 1)
  const directAt = 6 + addressBytes + inIndexBlock * form.bytes
  const secondaryAt = directAt + directBlocks * addressBytes
  const indexBlockBytes = secondaryAt + (groupCount - directGroups) * addressBytes + CHECKSUM_BYTES
  const order = orderOf(grid)
  const counts = order.map((axis) => grid.mostChunks[axis] ?? null)

  /** Entry `number` of a data block without pages. */
  function readInBlock(block: number | null, blockEntries: number, number: number): StoredChunk | null {
    if (block === null) return null
    const length = blockPrefixBytes + blockEntries * form.bytes + CHECKSUM_BYTES
    const view = structures.readChecked(block, length, 'EADB')
    return form.read(view, blockPrefixBytes + number * form.bytes)
  }

  /** Entry `number` of a group whose blocks have their addresses in a secondary block. */
  function readInGroup(secondary: number | null, group: Group, number: number): StoredChunk | null {
    if (secondary === null) return null
    const { blocks, entries: blockEntries } = group
    const pageCount = blockEntries > perPage ? blockEntries / perPage : 0
    const bitsBytes = Math.ceil(pageCount / 8)
    const addressesAt = blockPrefixBytes + blocks * bitsBytes
    const length = addressesAt + blocks * addressBytes + CHECKSUM_BYTES
    const view = structures.readChecked(secondary, length, 'EASB')
    const nth = Math.floor(number / blockEntries)
    const block = addressAt(view, addressesAt + nth * addressBytes, addressBytes)
    const inBlock = number - nth * blockEntries
    if (block === null || pageCount === 0) return readInBlock(block, blockEntries, inBlock)
    const pages = {
      address: block + blockPrefixBytes + CHECKSUM_BYTES,
      entries: blockEntries,
      perPage,
      written: view,
      writtenFrom: blockPrefixBytes + nth * bitsBytes,
    }
    return readPaged(structures, form, pages, inBlock)
  }

  return (position) => {
    const number = linearNumber(
      order.map((axis) => position[axis] ?? 0),
      counts,
    )
    if (number >= entries) return null
    const view = structures.readChecked(indexBlock, indexBlockBytes, 'EAIB')
    if (number < inIndexBlock) return form.read(view, 6 + addressBytes + number * form.bytes)
    const group = groupOf(number - inIndexBlock, leastEntries)
    const inGroup = number - inIndexBlock - group.firstEntry
    if (group.number >= directGroups) {
      if (group.number >= groupCount) throw fault(`an index of chunks has no entry ${number}`)
      const at = secondaryAt + (group.number - directGroups) * addressBytes
      return readInGroup(addressAt(view, at, addressBytes), group, inGroup)
    }
    if (group.entries > perPage) throw fault('an index of chunks has pages where it cannot have any')
    const nth = Math.floor(inGroup / group.entries)
    const block = addressAt(view, directAt + (group.firstBlock + nth) * addressBytes, addressBytes)
    return readInBlock(block, group.entries, inGroup - nth * group.entries)
  }
}

/** Data blocks of the same size. */
interface Group {
  readonly number: number
  readonly firstEntry: number
  readonly firstBlock: number
  readonly blocks: number
  /** Entries of each block. */
  readonly entries: number
}

/** The group of the entry with a number, counted behind the index block. */
function groupOf(entry: number, leastEntries: number): Group {
  let [firstEntry, firstBlock] = [0, 0]
  for (let number = 0; ; number++) {
    const blocks = 2 ** Math.floor(number / 2)
    const entries = 2 ** Math.floor((number + 1) / 2) * leastEntries
    if (entry < firstEntry + blocks * entries) return { number, firstEntry, firstBlock, blocks, entries }
    firstEntry += blocks * entries
    firstBlock += blocks
  }
}

/** The dimensions, the one without a limit first. */
function orderOf({ mostChunks }: ChunkGrid): readonly number[] {
  const unlimited = mostChunks.flatMap((count, axis) => (count === null ? [axis] : []))
  if (unlimited.length !== 1) throw fault('its index of chunks suits one dimension without a limit')
  return [...unlimited, ...mostChunks.flatMap((count, axis) => (count === null ? [] : [axis]))]
}
