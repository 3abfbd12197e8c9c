import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { createLru } from '../../../../plan/lru.ts'
import { type FileRef, fileKey, isFileSettled } from '../../../../plan/source/file.ts'
import type { AttributeStructure, FileStructure } from '../../../../plan/source/structure.ts'

/** What files hold, by format and version. Of stores that are folders nothing is kept: their documents would have to be checked. */
export interface KeptStructures {
  get(format: FileFormat, file: FileRef): FileStructure | undefined
  put(format: FileFormat, file: FileRef, structure: FileStructure): void
}

/** The most characters of all structures together, about. In memory they take some times as much. */
const KEPT_CHARACTERS = 8 << 20

/** What a variable, a dimension, a group or an attribute counts besides its text. */
const ITEM_CHARACTERS = 100

export function createKeptStructures(): KeptStructures {
  const structures = createLru<FileStructure>(KEPT_CHARACTERS, charactersOf)
  const keyOf = (format: FileFormat, file: FileRef): string => `${fileKey(file)} ${JSON.stringify(format)}`
  return {
    get: (format, file) => (file.folder === undefined ? structures.get(keyOf(format, file)) : undefined),
    put(format, file, structure) {
      if (file.folder === undefined && isFileSettled(file)) structures.put(keyOf(format, file), structure)
    },
  }
}

function charactersOf({ groups, dimensions, variables }: FileStructure, key: string): number {
  const ofAttributes = (attributes: readonly AttributeStructure[]): number =>
    attributes.reduce((sum, { name, json }) => sum + ITEM_CHARACTERS + name.length + json.length, 0)
  const items = [...groups, ...variables].reduce((sum, { attributes }) => sum + ofAttributes(attributes), 0)
  return key.length + items + ITEM_CHARACTERS * (groups.length + dimensions.length + variables.length)
}
