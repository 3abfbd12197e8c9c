import { createLru, type Lru } from '../../../../../plan/lru.ts'
import type { ByteSource } from '../../../../store/byte-source.ts'
import { fault } from '../../../fault.ts'
import { requireChecksum } from './checksum.ts'
import { createCursor, type NumberSizes } from './cursor.ts'
import type { Superblock } from './superblock.ts'

/** The structures of a file: headers, and the nodes of indexes and heaps. All calls throw `unreadable_file`. */
export interface Structures extends NumberSizes {
  /** The bytes at an address, for what is read once. They must not be changed. */
  peek(address: number, length: number): DataView
  /** The same, cached. */
  read(address: number, length: number): DataView
  /** The same for bytes that begin with a signature, which may be '', and end with the checksum of the others. Both are checked. */
  readChecked(address: number, length: number, signature: string): DataView
  /** As in `Superblock`. */
  readonly extension: number | null
  /** The place in the file that an address stands for. */
  placeOf(address: number): number
}

/** Structures by their addresses. It may be kept as long as the file is the same version. */
export type StructureCache = Lru<DataView, number>

/** A worker keeps 64 opened files. A node of an index has some KiB and 20 to 60 chunks, so this is at least 20 000 chunks. */
const CACHE_BYTES = 2 << 20

/** The largest structure that is read. The largest one of the library has less than 1 MiB. */
const MAX_STRUCTURE_BYTES = 16 << 20

export function createStructureCache(): StructureCache {
  return createLru<DataView, number>(CACHE_BYTES, (view) => view.byteLength)
}

export function createStructures(
  source: ByteSource,
  superblock: Superblock,
  cache: StructureCache,
): Structures {
  const { base, addressBytes, lengthBytes, extension } = superblock

  function peek(address: number, length: number): DataView {
    if (length > MAX_STRUCTURE_BYTES)
      throw fault(`a structure has ${length} bytes, more than the ${MAX_STRUCTURE_BYTES} that are read`)
    if (!(length >= 0 && address >= 0 && length <= source.size - base - address))
      throw fault(`it refers to ${length} bytes at ${base + address}, and has ${source.size} bytes`)
    const bytes = source.read(base + address, length)
    return new DataView(bytes.buffer, bytes.byteOffset, length)
  }

  function readOnce(address: number, length: number, check: (view: DataView) => void): DataView {
    const held = cache.get(address)
    if (held?.byteLength === length) return held
    const view = peek(address, length)
    check(view)
    cache.put(address, view)
    return view
  }

  return {
    addressBytes,
    lengthBytes,
    extension,
    peek,
    read: (address, length) => readOnce(address, length, () => {}),
    readChecked: (address, length, signature) =>
      readOnce(address, length, (view) => {
        createCursor(view, superblock).signature(signature)
        requireChecksum(view, signature)
      }),
    placeOf: (address) => base + address,
  }
}
