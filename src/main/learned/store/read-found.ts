import { createLru } from '../../../plan/lru.ts'
import { memoize } from '../../../plan/memoize.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import { columnsFromJson } from '../../catalog/store/stored-columns.ts'
import type { LearnedFile } from '../learned-files.ts'
import { type FileBlock, readBlock, sizesOf, startOf, wholeOf } from './file-block.ts'
import type { FoundFiles, FoundInFolder } from './messages.ts'
import { type LaidOut, laidOut, readLayout, type StoredLayout } from './stored-layout.ts'

/** The most sizes and layouts of arrays of which it is kept what they tell. */
const MOST_SIZES = 4096

/** The most characters of schemas and layouts whose objects are kept, each. */
const CHARACTERS = 1 << 20

/**
 * Reads what was found of `count` files of a folder, in their order. What is not as it is written counts as not found. What is known of all values
 * is a view of the message, which is to be copied where it is kept.
 */
export type ReadFound = (
  texts: FoundFiles['texts'],
  inFolder: FoundInFolder,
  count: number,
) => readonly (LearnedFile | null)[]

/** Equal schemas and layouts are read once. */
export function createReadFound(): ReadFound {
  const schemaOf = createReader<Schema>(columnsFromJson)
  const layoutOf = createReader<StoredLayout>(readLayout)
  const laidOutInFile = createLaidOut()
  return (texts, { indexes, files }, count) => {
    const learned = new Array<LearnedFile | null>(count).fill(null)
    const block = readBlock(files)
    if (block === null) return learned
    for (const [row, index] of indexes.entries()) {
      const schema = schemaOf(texts.get(block.schemas[row] ?? 0))
      const layout = layoutOf(texts.get(block.layouts[row] ?? 0))
      const fileLayout = layout && laidOutInFile(layout, block, row)
      if (schema === null || fileLayout === null) continue
      const columns = fileLayout.segment?.decodedBytes.length ?? schema.fields.length
      if (columns !== schema.fields.length) continue
      learned[index] = { schema, ...fileLayout, whole: wholeOf(block, row) }
    }
    return learned
  }
}

/** `laidOut` of a row of a block. For arrays it is the same object whenever layout and sizes are the same, since a grid follows from them. */
function createLaidOut(): (layout: StoredLayout, block: FileBlock, row: number) => LaidOut | null {
  let layouts = 0
  const numberOf = memoize((_layout: StoredLayout) => layouts++)
  const bySizes = createLru<LaidOut>(MOST_SIZES)
  return (layout, block, row) => {
    if (layout.kind !== 'arrays') return laidOut(layout, sizesOf(block, row))
    const { sizes, sizeEnds } = block
    const end = sizeEnds[row] ?? 0
    let key = `${numberOf(layout)}`
    for (let at = startOf(sizeEnds, row); at < end; at++) key += ` ${sizes[at]}`
    const earlier = bySizes.get(key)
    if (earlier !== undefined) return earlier
    const value = laidOut(layout, sizesOf(block, row))
    if (value !== null) bySizes.put(key, value)
    return value
  }
}

function createReader<T>(read: (json: string) => T): (json: string | undefined) => T | null {
  const cachedValues = createLru<{ readonly value: T | null }>(CHARACTERS, (_, { length }) => 1 + length)
  const readNow = (json: string): T | null => {
    try {
      return read(json)
    } catch {
      return null
    }
  }
  return (json) => {
    if (json === undefined) return null
    const cachedValue = cachedValues.get(json) ?? { value: readNow(json) }
    cachedValues.put(json, cachedValue)
    return cachedValue.value
  }
}
