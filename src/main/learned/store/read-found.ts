import { createLru } from '../../../plan/lru.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import { columnsFromJson } from '../../catalog/store/stored-columns.ts'
import type { LearnedFile } from '../learned-files.ts'
import type { FoundFiles } from './messages.ts'
import { laidOut, readLayout, type StoredLayout } from './stored-layout.ts'

/** The most characters of schemas and layouts whose objects are kept, each. */
const CHARACTERS = 1 << 20

/** Reads what was found of `count` files, in their order. What is not as it is written counts as not found. */
export type ReadFound = (foundFiles: FoundFiles, count: number) => readonly (LearnedFile | null)[]

/** Equal schemas and layouts are read once. */
export function createReadFound(): ReadFound {
  const schemaOf = createReader<Schema>(columnsFromJson)
  const layoutOf = createReader<StoredLayout>(readLayout)
  return ({ texts, files, wholes }, count) => {
    const learned = new Array<LearnedFile | null>(count).fill(null)
    let at = 0
    for (const { index, schema: ofSchema, layout: ofLayout, sizes, wholeBytes } of files) {
      const whole = wholes.slice(at, at + wholeBytes)
      at += wholeBytes
      const schema = schemaOf(texts.get(ofSchema))
      const layout = layoutOf(texts.get(ofLayout))
      const fileLayout = layout && laidOut(layout, sizes)
      if (schema === null || fileLayout === null) continue
      learned[index] = { schema, ...fileLayout, whole }
    }
    return learned
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
