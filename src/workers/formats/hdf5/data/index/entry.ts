import { fault } from '../../../fault.ts'
import { addressAt, type NumberSizes, uintAt } from '../structures/cursor.ts'
import type { ChunkGrid, StoredChunk } from './chunk-grid.ts'

/** Entries of indexes that begin with the address of a chunk. If it has passed filters, its stored bytes and a mask follow. */
export interface EntryForm {
  /** Bytes of an entry. */
  readonly bytes: number
  /** The entry at a place. Null: the chunk was never written. */
  read(view: DataView, at: number): StoredChunk | null
}

/** Bytes of a mask of filters. */
const MASK_BYTES = 4

/** The form of entries of `bytes` bytes. Throws `unreadable_file` if entries of this dataset cannot have as many. */
export function entryForm(
  { isFiltered, chunkBytes }: ChunkGrid,
  { addressBytes }: NumberSizes,
  bytes: number,
): EntryForm {
  const sizeBytes = isFiltered ? bytes - addressBytes - MASK_BYTES : 0
  if (isFiltered ? sizeBytes < 1 || sizeBytes > 8 : bytes !== addressBytes)
    throw fault(`its index of chunks has entries of ${bytes} bytes`)
  return {
    bytes,
    read(view, at) {
      const address = addressAt(view, at, addressBytes)
      if (address === null) return null
      if (!isFiltered) return { address, bytes: chunkBytes, mask: 0 }
      return {
        address,
        bytes: uintAt(view, at + addressBytes, sizeBytes),
        mask: view.getUint32(at + addressBytes + sizeBytes, true),
      }
    },
  }
}
