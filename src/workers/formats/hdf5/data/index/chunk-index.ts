import { fault } from '../../../fault.ts'
import type { IndexLocation } from '../structures/messages/layout.ts'
import type { Structures } from '../structures/structures.ts'
import { openBTree1 } from './btree1.ts'
import { openBTree2 } from './btree2.ts'
import { type ChunkGrid, type ChunkIndex, fixedCounts, linearNumber } from './chunk-grid.ts'
import { openExtensibleArray } from './extensible-array.ts'
import { openFixedArray } from './fixed-array.ts'

/** Opens the index of a dataset's chunks. Throws `unreadable_file`. */
export function openChunkIndex(structures: Structures, grid: ChunkGrid, location: IndexLocation): ChunkIndex {
  const { kind, address } = location
  if (address === null) return () => null
  if (kind === 'btree1') return openBTree1(structures, grid, address)
  if (kind === 'btree2') return openBTree2(structures, grid, address)
  if (kind === 'fixed_array') return openFixedArray(structures, grid, address)
  if (kind === 'extensible_array') return openExtensibleArray(structures, grid, address)
  if (kind === 'single') {
    const { bytes, mask } = location.filtered ?? { bytes: grid.chunkBytes, mask: 0 }
    return () => ({ address, bytes, mask })
  }
  return openImplicit(grid, address)
}

/** Chunks without filters that follow each other in the file, in C order. All of them were written when the dataset was made. */
function openImplicit(grid: ChunkGrid, address: number): ChunkIndex {
  const { chunkBytes, isFiltered } = grid
  if (isFiltered) throw fault('its index of chunks suits no filters')
  const counts = fixedCounts(grid)
  return (position) => {
    const at = address + linearNumber(position, counts) * chunkBytes
    return { address: at, bytes: chunkBytes, mask: 0 }
  }
}
