import { fault } from '../fault.ts'
import { createCursor, uintAt } from '../structures/cursor.ts'
import type { Structures } from '../structures/structures.ts'
import type { ChunkGrid, ChunkIndex } from './chunk-grid.ts'
import { entryForm } from './entry.ts'

/** Bytes of a node besides records and pointers: its signature, version and type in front, and the checksum behind. */
const PREFIX_BYTES = 6
const CHECKSUM_BYTES = 4

/** The types of records that are chunks, without and with filters. */
const CHUNKS = 10
const FILTERED_CHUNKS = 11

/** A B-tree of this depth has more chunks than any file. */
const MAX_DEPTH = 32

/** The index of datasets that may grow along several dimensions: a B-tree of version 2. */
export function openBTree2(structures: Structures, grid: ChunkGrid, address: number): ChunkIndex {
  const { addressBytes } = structures
  const rank = grid.chunk.length
  const head = createCursor(
    structures.readChecked(address, 22 + addressBytes + structures.lengthBytes, 'BTHD'),
    structures,
  )
  head.skip(4)
  head.version(0, 'an index of chunks')
  const type = head.uint(1)
  if (type !== (grid.isFiltered ? FILTERED_CHUNKS : CHUNKS))
    throw fault(`an index has records of type ${type}`)
  const nodeBytes = head.uint(4)
  const recordBytes = head.uint(2)
  const depth = head.uint(2)
  head.skip(2)
  const root = head.address()
  const rootRecords = head.uint(2)
  const form = entryForm(grid, structures, recordBytes - 8 * rank)
  const levels = levelsOf(nodeBytes, recordBytes, depth, addressBytes)
  if (root === null) return () => null

  /** The records of a node, and behind them its pointers. */
  function readNode(at: number, records: number, level: number): DataView {
    const { most = 0, pointerBytes = 0 } = levels[level] ?? {}
    if (records > most) throw fault(`a node of an index of chunks has ${records} records`)
    const pointers = level === 0 ? 0 : (records + 1) * pointerBytes
    const length = PREFIX_BYTES + records * recordBytes + pointers + CHECKSUM_BYTES
    return structures.readChecked(at, length, level === 0 ? 'BTLF' : 'BTIN')
  }

  function compare(view: DataView, record: number, position: readonly number[]): number {
    let at = PREFIX_BYTES + record * recordBytes + form.bytes
    for (let axis = 0; axis < rank; axis++, at += 8) {
      const difference = uintAt(view, at, 8) - (position[axis] ?? 0)
      if (difference !== 0) return difference
    }
    return 0
  }

  return (position) => {
    let [at, records] = [root, rootRecords]
    for (let level = depth; ; level--) {
      const view = readNode(at, records, level)
      let [low, high] = [0, records]
      while (low < high) {
        const middle = (low + high) >>> 1
        const order = compare(view, middle, position)
        if (order === 0) return form.read(view, PREFIX_BYTES + middle * recordBytes)
        if (order > 0) high = middle
        else low = middle + 1
      }
      const { pointerBytes = 0, countBytes = 0 } = levels[level] ?? {}
      if (level === 0) return null
      const pointer = PREFIX_BYTES + records * recordBytes + low * pointerBytes
      at = uintAt(view, pointer, addressBytes)
      records = uintAt(view, pointer + addressBytes, countBytes)
    }
  }
}

interface Level {
  /** The most records of a node. */
  readonly most: number
  /** Bytes of a pointer to a node of the next level: its address, its records, and all records below it. */
  readonly pointerBytes: number
  readonly countBytes: number
}

/** The levels of a tree, beginning with its leaves. Sizes of pointers follow from how many records there can be below. */
function levelsOf(nodeBytes: number, recordBytes: number, depth: number, addressBytes: number): Level[] {
  const space = nodeBytes - PREFIX_BYTES - CHECKSUM_BYTES
  const leaf = Math.floor(space / recordBytes)
  if (depth > MAX_DEPTH || leaf < 1)
    throw fault(`an index of chunks has ${depth} levels of ${nodeBytes} bytes`)
  const countBytes = bytesFor(leaf)
  const levels: Level[] = [{ most: leaf, pointerBytes: 0, countBytes: 0 }]
  let [below, belowBytes] = [leaf, 0]
  for (let level = 1; level <= depth; level++) {
    const pointerBytes = addressBytes + countBytes + belowBytes
    const most = Math.floor((space - pointerBytes) / (recordBytes + pointerBytes))
    if (most < 1) throw fault(`a node of an index of chunks has ${nodeBytes} bytes`)
    levels.push({ most, pointerBytes, countBytes })
    below = (most + 1) * below + most
    belowBytes = bytesFor(below)
  }
  return levels
}

/** How many bytes a number up to `most` takes. */
function bytesFor(most: number): number {
  let bytes = 1
  for (let rest = Math.floor(most / 256); rest > 0; rest = Math.floor(rest / 256)) bytes++
  return Math.min(bytes, 8)
}
