import { createLru } from '../../../../plan/lru.ts'
import { productOf } from '../../../../plan/product-of.ts'
import { gridOfAll, gridOfColumns, type LaidOutArrays } from '../../../../plan/source/array-layout.ts'
import { elementsOf } from '../../../../plan/source/grid.ts'
import { VERSION_NUMBERS } from '../../../../plan/source/version-numbers.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import { columnsFromJson } from '../../../catalog/store/stored-columns.ts'
import type { FileBlock } from '../../../learned/store/file-block.ts'
import type { LearnedFolders, SummarizedBlock } from '../../../learned/store/learned-table.ts'
import { readLayout, type StoredLayout } from '../../../learned/store/stored-layout.ts'

/** What is learned of the files of folders, block by block, with a cache of what is known of whole blocks. */
export interface LearnedIndex {
  /** The blocks of a folder by ascending names of their files. */
  blocksOf(place: string): readonly SummarizedBlock[]
  /** Null: it cannot be read. */
  blockOf(place: string, first: string): FileBlock | null
  /** Null: it cannot be read. */
  schemaOf(id: number): Schema | null
  layoutOf(id: number): StoredLayout | null
}

/** Keeps the index between queries, as long as nothing else is learned. `null`: nothing can be read. */
export type OpenIndex = (learned: LearnedFolders | null) => LearnedIndex

/** The most bytes of what is known of blocks, with the versions of their files: those of some 1.5 million files. */
const CAPACITY = 96 << 20

const NO_BLOCKS: readonly SummarizedBlock[] = Object.freeze([])

const NO_INDEX: LearnedIndex = Object.freeze({
  blocksOf: () => NO_BLOCKS,
  blockOf: () => null,
  schemaOf: () => null,
  layoutOf: () => null,
})

export function createLearnedIndex(): OpenIndex {
  let caches = emptyCaches(null)

  return (learned) => {
    if (learned === null) return NO_INDEX
    if (learned.changes !== caches.changes) caches = emptyCaches(learned.changes)
    // What is read of an earlier state must not come into caches of a later one.
    const { folders, schemas, layouts } = caches
    const read = <T>(cache: Map<number, T | null>, id: number, parse: (text: string) => T): T | null => {
      const cached = cache.get(id)
      if (cached !== undefined) return cached
      const text = learned.textOf(id)
      const value = text === null ? null : parse(text)
      cache.set(id, value)
      return value
    }
    return {
      blocksOf(place) {
        const cachedBlocks = folders.get(place)
        if (cachedBlocks !== undefined) return cachedBlocks
        const blocks = learned.summariesOf(place)
        folders.put(place, blocks)
        return blocks
      },
      blockOf: (place, first) => learned.blockOf(place, first),
      schemaOf: (id) => read(schemas, id, columnsFromJson),
      layoutOf: (id) => read(layouts, id, readLayout),
    }
  }
}

/** What a folder takes besides its blocks. */
const FOLDER_BYTES = 300

/** With the versions of its files, once they have been compared. */
function weightOf({ bytes, files }: SummarizedBlock): number {
  return FOLDER_BYTES + bytes + VERSION_BYTES * files
}

const VERSION_BYTES = VERSION_NUMBERS * BigInt64Array.BYTES_PER_ELEMENT

/** @param changes Those of the database that the caches are of. */
function emptyCaches(changes: number | null) {
  return {
    changes,
    folders: createLru<readonly SummarizedBlock[]>(
      CAPACITY,
      (blocks, place) =>
        FOLDER_BYTES + 2 * place.length + blocks.reduce((sum, block) => sum + weightOf(block), 0),
    ),
    schemas: new Map<number, Schema | null>(),
    layouts: new Map<number, StoredLayout | null>(),
  }
}

/** The rows of files with a layout and these sizes, if columns are named of them. Null: not known. */
export function rowsOfLayout(
  layout: StoredLayout,
  sizes: readonly number[],
  named: readonly string[],
): number | null {
  switch (layout.kind) {
    case 'none':
    case 'segment':
      return null
    case 'grid':
      return named.length === 0 ? productOf(sizes) : null
    case 'arrays': {
      const arrays: LaidOutArrays = { layout: layout.arrays, sizes }
      const grid = named.length === 0 ? gridOfAll(arrays) : gridOfColumns(arrays, named)
      const rows = grid && elementsOf(grid)
      return rows !== null && Number.isSafeInteger(rows) ? rows : null
    }
  }
}

/** The number of values of the column with this field. Null: not known. */
export function valuesOfLayout(layout: StoredLayout, sizes: readonly number[], field: number): number | null {
  if (layout.kind !== 'arrays') return null
  const array = layout.arrays.arrays.find((each) => each.field === field)
  return array === undefined ? null : productOf(array.dimensions.map((index) => sizes[index] ?? 0))
}
