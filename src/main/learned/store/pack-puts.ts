import { columnsToJson } from '../../catalog/store/stored-columns.ts'
import type { LearnedFile } from '../learned-files.ts'
import type { PutFile, PutFiles, StoredKey } from './messages.ts'
import { layoutOf } from './stored-layout.ts'

/** A file that is to be stored. */
export interface Putting extends StoredKey {
  readonly learned: LearnedFile
}

/** A message with files, and with each of their schemas and layouts once. */
export interface PutPacker {
  add(putting: Putting): void
  message(): PutFiles
}

export function createPutPacker(): PutPacker {
  const texts = new Map<string, number>()
  const ofSchemas = new Map<LearnedFile['schema'], number>()
  const files: PutFile[] = []
  const indexOf = (text: string): number => {
    const textIndex = texts.get(text)
    if (textIndex !== undefined) return textIndex
    texts.set(text, texts.size)
    return texts.size - 1
  }
  return {
    add({ place, version, learned }) {
      const { schema, whole } = learned
      const ofSchema = ofSchemas.get(schema) ?? indexOf(columnsToJson(schema))
      ofSchemas.set(schema, ofSchema)
      const { text, sizes } = layoutOf(learned)
      files.push({ place, version, schema: ofSchema, layout: indexOf(text), sizes, whole })
    },
    message: () => ({ texts: [...texts.keys()], files }),
  }
}
