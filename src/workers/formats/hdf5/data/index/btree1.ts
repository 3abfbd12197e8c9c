import { firstThat } from '../../../../../plan/binary-search.ts'
import { fault } from '../../../fault.ts'
import { uintAt } from '../structures/cursor.ts'
import type { Structures } from '../structures/structures.ts'
import type { ChunkGrid, ChunkIndex } from './chunk-grid.ts'

/** The signature of a node. It has no checksum. */
const TREE = 0x45455254

/** Bytes of the size and the mask of filters in front of the offsets of a key. */
const KEY_PREFIX_BYTES = 8

interface Node {
  readonly level: number
  /** Child `i` has the chunks from key `i` to before key `i + 1`. */
  readonly count: number
  readonly entries: DataView
}

/** The index of files for libraries before 1.10: a B-tree of version 1. Keys are the first elements of chunks, ascending. */
export function openBTree1(structures: Structures, grid: ChunkGrid, root: number): ChunkIndex {
  const { addressBytes } = structures
  const { chunk } = grid
  // The last offset is that within an element, which is 0.
  const keyBytes = KEY_PREFIX_BYTES + 8 * (chunk.length + 1)
  const entryBytes = keyBytes + addressBytes

  /** The nodes that the last chunk was looked up in, from the root on: its neighbours are in the same. */
  const path: { readonly address: number; readonly node: Node }[] = []

  function nodeAt(depth: number, address: number, expectedLevel: number | null): Node {
    const last = path[depth]
    if (last?.address === address && (expectedLevel ?? last.node.level) === last.node.level) return last.node
    const node = readNode(address, expectedLevel)
    path[depth] = { address, node }
    return node
  }

  function readNode(address: number, expectedLevel: number | null): Node {
    const headBytes = 8 + 2 * addressBytes
    const head = structures.read(address, headBytes)
    if (head.getUint32(0, true) !== TREE || head.getUint8(4) !== 1)
      throw fault(`there is no node of an index of chunks at ${address}`)
    const level = head.getUint8(5)
    const count = head.getUint16(6, true)
    if (expectedLevel !== null && level !== expectedLevel)
      throw fault(`a node of an index of chunks has level ${level} instead of ${expectedLevel}`)
    return { level, count, entries: structures.read(address + headBytes, count * entryBytes) }
  }

  function compare(view: DataView, entry: number, position: readonly number[]): number {
    for (let axis = 0, at = entry * entryBytes + KEY_PREFIX_BYTES; axis < chunk.length; axis++, at += 8) {
      const difference = uintAt(view, at, 8) - (position[axis] ?? 0) * (chunk[axis] ?? 1)
      if (difference !== 0) return difference
    }
    return 0
  }

  return (position) => {
    let node = nodeAt(0, root, null)
    for (let depth = 1; ; depth++) {
      // The last entry whose key is not after the chunk.
      const { entries, count } = node
      const entryIndex = firstThat(0, count, (entry) => compare(entries, entry, position) > 0) - 1
      if (entryIndex < 0) return null
      const at = entryIndex * entryBytes
      const child = uintAt(node.entries, at + keyBytes, addressBytes)
      if (node.level > 0) {
        node = nodeAt(depth, child, node.level - 1)
        continue
      }
      if (compare(node.entries, entryIndex, position) !== 0) return null
      return { address: child, bytes: entries.getUint32(at, true), mask: entries.getUint32(at + 4, true) }
    }
  }
}
