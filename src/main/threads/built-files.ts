import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder of package.json. */
export const ROOT = join(import.meta.dirname, '../../..')

/** Where `scripts/bundle-service.ts` writes the files of the service: not in Git, and where packages are found. */
export const SERVICE_FILES = join(ROOT, 'node_modules/.cache/halocline')

/** Describes the files of a folder. It is in the folder. */
export const MANIFEST = 'manifest.json'

/** Which files a folder has, and of what they are built. Paths are relative to the root, with slashes. */
export interface BuiltManifest {
  /** The files contain paths of sources. */
  readonly root: string
  /** The modules of which each has a file, by the same path with `.mjs` at its end. */
  readonly entries: readonly string[]
  readonly sources: readonly string[]
  readonly digest: string
}

/** The files with a module and all that it imports, by the URLs of these modules. */
export type BuiltFiles = ReadonlyMap<string, URL>

const NONE: BuiltFiles = new Map()

let files = NONE

/**
 * The files in a folder; none if they are built of other sources than those that lie here, or in another place. Contents of sources decide.
 * To read them takes some 25 ms of CPU, and to ask for their times 10; but those may be set, and Git, images and copies do not keep them.
 */
export function readBuiltFiles(folder: string): BuiltFiles {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as BuiltManifest
    const { root, entries, sources, digest } = manifest
    if (root !== ROOT || digestOf(sources) !== digest) return NONE
    return new Map(
      entries.map((entry) => [
        pathToFileURL(join(ROOT, entry)).href,
        pathToFileURL(join(folder, builtPath(entry))),
      ]),
    )
  } catch {
    // Nothing is built, or a source is gone.
    return NONE
  }
}

function builtPath(entry: string): string {
  return entry.replace(/\.ts$/, '.mjs')
}

/** The digest of sources by their paths, lengths and contents. */
export function digestOf(
  sources: readonly string[],
  read: (path: string) => Uint8Array = readFileSync,
): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    const bytes = read(join(ROOT, source))
    hash.update(`${source}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

/** From now on threads of this process start from these files in place of their modules. */
export function startThreadsFrom(built: BuiltFiles): void {
  files = built
}

/** What a thread with this module is started from. */
export function fileOf(entry: URL): URL {
  return files.get(entry.href) ?? entry
}
