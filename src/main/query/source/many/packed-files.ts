import type { FileRef } from '../../../../plan/source/file.ts'
import { versionAt, versionNumbers } from '../../../../plan/source/version-numbers.ts'
import { createSlice, STEP_ITEMS } from '../../../../plan/steps.ts'

/** Files as one thread sends them to another: chunks of texts and numbers, which main copies in less time than objects. */
export type PackedFiles = readonly PackedChunk[]

interface PackedChunk {
  /** Paths, with a zero byte between two. */
  readonly paths: string
  /** Locations, likewise. Null: they are those of the paths below the root. */
  readonly locations: string | null
  /** As `versionNumbers` gives them. */
  readonly versions: BigInt64Array
}

/** The files of a chunk. */
const CHUNK_FILES = 16 * STEP_ITEMS

const SEPARATOR = '\0'

export function packFiles(files: readonly FileRef[], root: string): PackedFiles {
  const chunks: PackedChunk[] = []
  for (let from = 0; from < files.length; from += CHUNK_FILES)
    chunks.push(packChunk(files.slice(from, from + CHUNK_FILES), root))
  return chunks
}

function packChunk(files: readonly FileRef[], root: string): PackedChunk {
  const areBelow = files.every(({ path, location }) => location === below(root, path))
  return {
    paths: files.map(({ path }) => path).join(SEPARATOR),
    locations: areBelow ? null : files.map(({ location }) => location).join(SEPARATOR),
    versions: versionNumbers(files),
  }
}

/** The files in their order. Long lists are unpacked in several turns of the event loop. */
export async function unpackFiles(packed: PackedFiles, root: string): Promise<readonly FileRef[]> {
  const files: FileRef[] = []
  const slice = createSlice()
  for (const { paths, locations, versions } of packed) {
    const locationsOfPaths = locations?.split(SEPARATOR)
    for (const [index, path] of paths.split(SEPARATOR).entries()) {
      if (slice.isOver()) await slice.next()
      const location = locationsOfPaths?.[index] ?? below(root, path)
      files.push(Object.freeze({ path, location, version: versionAt(versions, index) }))
    }
  }
  return files
}

function below(root: string, path: string): string {
  return root === '/' ? `/${path}` : `${root}/${path}`
}
