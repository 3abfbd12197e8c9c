import { memoize } from '../../../plan/memoize.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { type FileVersion, sameVersion } from '../../../plan/source/version.ts'
import { runInSlices, runToEnd, STEP_ITEMS, type Steps } from '../../../plan/steps.ts'
import { createVersionRows, type VersionRows } from './version-rows.ts'

/**
 * A list of files as rows: their versions as numbers, and their names in one text. Main keeps those of many files between queries, and an
 * object for each takes 400 bytes. Rows never change: files of which one has changed are another list.
 */
export interface FileRows {
  readonly count: number
  readonly bytes: number
  /** The files as objects: the same list as long as somebody has it. */
  files(): readonly FileRef[] | Promise<readonly FileRef[]>
  /** Whether the file at an absolute path without symbolic links is one of these, in another version. */
  hasOther(location: string, version: FileVersion): boolean
  /** Whether a file is in both lists in different versions. */
  isOther(list: FileRows): boolean
  /** The folders of the files, with a slash at the end. */
  readonly folders: ReadonlySet<string>
}

/** Files that follow each other in one folder. */
interface Run {
  /** The index of its first file. */
  readonly first: number
  /** What the paths and the locations of its files have in front of the name. */
  readonly path: string
  readonly location: string
}

/** Fewer files are kept as objects. */
export const LEAST_ROWS = 65

/** The bytes of a row besides its name and its version: where its name ends. */
const ROW_BYTES = 4
const RUN_BYTES = 200

/** Packs files, and leaves the list with whoever has it. Null: a row cannot say what is known of one of them. */
export function* packFiles(files: readonly FileRef[]): Steps<FileRows | null> {
  const runs: Run[] = []
  const names: string[] = []
  const ends = new Uint32Array(files.length)
  const versions = createVersionRows(files.length)
  let end = 0
  let index = 0
  for (const { path, location, version, constants, folder, plain, fetched } of files) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield
    if ((constants ?? folder ?? plain ?? fetched) !== undefined) return null
    const name = sameName(path, location)
    const inPath = path.slice(0, path.length - name.length)
    const inLocation = location.slice(0, location.length - name.length)
    const last = runs.at(-1)
    if (last?.path !== inPath || last.location !== inLocation)
      runs.push({ first: index, path: inPath, location: inLocation })
    names.push(name)
    end += name.length
    ends[index++] = end
    versions.add(version)
  }
  return createRows(runs, names.join(''), ends, versions, files)
}

/** The name of a file, if its location ends with it too. Else '', since a link may have another one. */
function sameName(path: string, location: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return location.endsWith(`/${name}`) ? name : ''
}

function createRows(
  runs: readonly Run[],
  names: string,
  ends: Uint32Array,
  versions: VersionRows,
  packed: readonly FileRef[],
): FileRows {
  const count = packed.length
  const folders = new Set(runs.map(({ location }) => folderOf(location)))
  let latest = new WeakRef(packed)

  function* unpack(): Steps<readonly FileRef[]> {
    const files: FileRef[] = []
    let start = 0
    for (const [nth, { path, location }] of runs.entries()) {
      const next = runs[nth + 1]?.first ?? count
      while (files.length < next) {
        const index = files.length
        if (index % STEP_ITEMS === STEP_ITEMS - 1) yield
        const end = ends[index] ?? 0
        const name = names.slice(start, end)
        start = end
        const version = versions.at(index)
        files.push(Object.freeze({ path: path + name, location: location + name, version }))
      }
    }
    return share(Object.freeze(files))
  }

  function share(files: readonly FileRef[]): readonly FileRef[] {
    shareIdentity(files, rows)
    latest = new WeakRef(files)
    return files
  }

  const now = (): readonly FileRef[] => latest.deref() ?? runToEnd(unpack())

  const rows: FileRows = {
    count,
    bytes: ROW_BYTES * count + versions.bytes + names.length + RUN_BYTES * runs.length,
    files: () => latest.deref() ?? runInSlices(unpack()),
    // Most of what is asked for are folders and files of other lists.
    hasOther(location, version) {
      const here = folders.has(folderOf(location)) ? versionsByLocation(now()).get(location) : undefined
      return here !== undefined && !sameVersion(here, version)
    },
    isOther(list) {
      if (![...folders].some((folder) => list.folders.has(folder))) return false
      return now().some(({ location, version }) => list.hasOther(location, version))
    },
    folders,
  }
  share(packed)
  return rows
}

function folderOf(location: string): string {
  return location.slice(0, location.lastIndexOf('/') + 1)
}

const versionsByLocation = memoize(
  (files: readonly FileRef[]): ReadonlyMap<string, FileVersion> =>
    new Map(files.map(({ location, version }) => [location, version])),
)

const identities = new WeakMap<readonly FileRef[], object>()

/**
 * What stays the same for equal lists of files that follow from the same rows: what is kept of a list is kept by it. A list that was not made of rows
 * is its own.
 */
export function identityOf(files: readonly FileRef[]): object {
  return identities.get(files) ?? files
}

/** Gives a list the identity of another one, which has the same files in the same order. */
export function shareIdentity(files: readonly FileRef[], identity: object): void {
  identities.set(files, identity)
}
