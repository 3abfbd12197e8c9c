import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { createLru } from '../../../../plan/lru.ts'
import { type FileRef, fileKey, isFileSettled } from '../../../../plan/source/file.ts'
import type { FileStructure } from '../../../../plan/source/structure.ts'

/** What files hold, by format and version. Of stores that are folders nothing is kept: their documents would have to be checked. */
export interface KeptStructures {
  get(format: FileFormat, file: FileRef): FileStructure | undefined
  put(format: FileFormat, file: FileRef, structure: FileStructure): void
}

/** The most bytes of all structures together. */
const KEPT_BYTES = 16 << 20

/** A structure as JSON, which takes a fifth of its objects and none of the heap that grows with them, and the objects as long as somebody has them. */
interface Kept {
  readonly json: Buffer
  objects: WeakRef<FileStructure>
}

export function createKeptStructures(): KeptStructures {
  const structures = createLru<Kept>(KEPT_BYTES, ({ json }, key) => json.length + key.length)
  const keyOf = (format: FileFormat, file: FileRef): string => `${fileKey(file)} ${JSON.stringify(format)}`
  return {
    get(format, file) {
      const keptFile = file.folder === undefined ? structures.get(keyOf(format, file)) : undefined
      if (keptFile === undefined) return undefined
      const existing = keptFile.objects.deref()
      if (existing !== undefined) return existing
      const structure: FileStructure = JSON.parse(keptFile.json.toString('utf8'))
      keptFile.objects = new WeakRef(structure)
      return structure
    },
    put(format, file, structure) {
      if (file.folder !== undefined || !isFileSettled(file)) return
      const json = Buffer.from(JSON.stringify(structure))
      structures.put(keyOf(format, file), { json, objects: new WeakRef(structure) })
    },
  }
}
