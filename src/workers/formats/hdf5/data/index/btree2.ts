import { fault } from '../../../fault.ts'
import { uintAt } from '../structures/cursor.ts'
import { openTree2, recordAt } from '../structures/groups/btree2.ts'
import type { Structures } from '../structures/structures.ts'
import type { ChunkGrid, ChunkIndex } from './chunk-grid.ts'
import { entryForm } from './entry.ts'

/** The types of records that are chunks, without and with filters. */
const CHUNKS = 10
const FILTERED_CHUNKS = 11

/** The index of datasets that may grow along several dimensions: a B-tree of version 2. */
export function openBTree2(structures: Structures, grid: ChunkGrid, address: number): ChunkIndex {
  const rank = grid.chunk.length
  const tree = openTree2(structures, address, 'an index of chunks')
  if (tree.type !== (grid.isFiltered ? FILTERED_CHUNKS : CHUNKS))
    throw fault(`an index has records of type ${tree.type}`)
  const form = entryForm(grid, structures, tree.recordBytes - 8 * rank)
  const { root, depth } = tree
  if (root === null) return () => null

  function compare(view: DataView, record: number, position: readonly number[]): number {
    let at = recordAt(tree, record) + form.bytes
    for (let axis = 0; axis < rank; axis++, at += 8) {
      const difference = uintAt(view, at, 8) - (position[axis] ?? 0)
      if (difference !== 0) return difference
    }
    return 0
  }

  return (position) => {
    let node = root
    for (let level = depth; ; level--) {
      const view = tree.read(node, level)
      let [low, high] = [0, node.records]
      while (low < high) {
        const middle = (low + high) >>> 1
        const order = compare(view, middle, position)
        if (order === 0) return form.read(view, recordAt(tree, middle))
        if (order > 0) high = middle
        else low = middle + 1
      }
      if (level === 0) return null
      node = tree.child(view, node, level, low)
    }
  }
}
