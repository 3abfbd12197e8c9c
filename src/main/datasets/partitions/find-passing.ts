import { isBesideData } from '../beside-data.ts'
import { type FoundFile, filesBelow, folderReader, type SearchStart, searchStart } from '../find/find.ts'
import { CONCURRENT_FOLDERS, type Folder, type FolderReader, type FolderVisitor } from '../find/walk.ts'
import type { FingerprintRecorder } from '../fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../root.ts'
import { statFile } from '../stat.ts'
import type { Level } from './level.ts'
import { partitionOf, partitionsOf, partitionsOfFile } from './partition.ts'
import type { PartitionFilter } from './partition-filter.ts'

/** The files of one path. */
export interface FoundPath {
  readonly path: string
  readonly isAsWritten: boolean
  readonly files: readonly FoundFile[]
  /** Whether the filter has left out folders or the file, so that the path may name more files. */
  readonly isCut: boolean
}

/** The files of folders that pass a filter. */
export interface PassingFiles {
  /** One for each path, in their order. */
  readonly foundPaths: readonly FoundPath[]
  readonly levels: readonly Level[]
  /** The key of the test by which folders or files were left out. Null: none was. */
  readonly testKey: string | null
}

type Values = readonly (string | null)[]

/** A folder that may be read, and the values of the partitions in its path. */
interface Branch {
  readonly start: number
  readonly folder: Folder
  readonly values: Values
}

/** A path's search: where it begins, and what it has found. */
interface PathSearch {
  readonly path: string
  readonly start: SearchStart | null
  readonly reader: FolderReader | null
  readonly paths: string[]
  readonly links: Set<string>
}

/**
 * `findFiles` for several paths, without the files below folders that do not pass the filter. It descends level by level: when
 * all folders of a level are known, the filter decides which of them are read. If a level's names are not settled by the folders
 * above that pass, the others are read too, for the names of folders alone. Files without rows may lie above the folders. Null: the
 * paths that were found have different keys, or a key twice, or there are none; then the filter cannot be applied to folders.
 */
export async function findPassing(
  root: DatasetRoot,
  paths: readonly string[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
  markers: readonly string[],
  filter: PartitionFilter,
): Promise<PassingFiles | null> {
  const levels: { readonly key: string; readonly names: Set<string | null> }[] = []
  /** Folders by the number of their values: those to be read, and those that the filter leaves out. */
  const branches: Branch[][] = []
  const leftOut: Branch[][] = []
  /** The numbers of values of the files. */
  const depths = new Set<number>()
  let isMixed = false
  /** The searches that the filter has cut short. */
  const cut = new Set<number>()

  function addName(depth: number, key: string, value: string | null): void {
    const levelIndex = levels.findIndex((level) => level.key === key)
    if (levelIndex === -1 && depth === levels.length) levels.push({ key, names: new Set([value]) })
    else if (levelIndex === depth) levels[depth]?.names.add(value)
    // Another key than in other paths, or one that is twice in this path.
    else isMixed = true
  }

  const searches: PathSearch[] = []
  for (const path of paths) {
    const start = await searchStart(root, path, fingerprint)
    const reader = start?.kind === 'folder' ? folderReader(root, start, signal, fingerprint, markers) : null
    const search = { path, start, reader, paths: [], links: new Set<string>() }
    searches.push(search)
    if (start === null) continue
    const partitions = start.kind === 'file' ? partitionsOfFile(start.file.path) : partitionsOf(start.base)
    for (const [depth, { key, value }] of partitions.entries()) addName(depth, key, value)
    if (start.kind === 'file') depths.add(partitions.length)
    if (reader !== null)
      push(branches, {
        start: searches.length - 1,
        folder: reader.top,
        values: partitions.map(({ value }) => value),
      })
  }

  /** Reads folders, and those below them that have no further partition in their paths. */
  async function read(
    from: readonly Branch[],
    visitorOf: (branch: Branch, pending: Branch[]) => FolderVisitor,
  ) {
    const pending = [...from]
    while (pending.length > 0)
      await Promise.all(
        pending.splice(-CONCURRENT_FOLDERS).map(async (branch) => {
          await searches[branch.start]?.reader?.read(branch.folder, visitorOf(branch, pending))
        }),
      )
  }

  function visitFolders({ start, values }: Branch, pending: Branch[]): FolderVisitor {
    const search = searches[start]
    return {
      folder(folder, name) {
        const partition = partitionOf(name)
        if (partition === null) {
          pending.push({ start, folder, values })
          return
        }
        addName(values.length, partition.key, partition.value)
        push(branches, { start, folder, values: [...values, partition.value] })
      },
      file(path, isLink) {
        depths.add(values.length)
        search?.paths.push(path)
        if (isLink) search?.links.add(path)
      },
      store() {},
    }
  }

  /** Collects the names of folders in those that were left out. */
  function nameFolders({ start, values }: Branch, pending: Branch[]): FolderVisitor {
    return {
      folder(folder, name) {
        const partition = partitionOf(name)
        const level = levels[values.length]
        if (partition === null) pending.push({ start, folder, values })
        else if (level?.key === partition.key) {
          level.names.add(partition.value)
          push(leftOut, { start, folder, values: [...values, partition.value] })
        }
      },
      file() {},
      store() {},
    }
  }

  async function completeNames(depth: number): Promise<void> {
    for (let above = 1; above < depth; above++) {
      const level = levels[depth - 1]
      if (level === undefined || filter.isSettled(level)) return
      const unread = leftOut[above]?.splice(0) ?? []
      await read(unread, nameFolders)
    }
  }

  /** Whether a file has rows that is in fewer folders `key=value` than others. */
  async function haveRowsAbove(depth: number): Promise<boolean> {
    for (const search of searches)
      for (const file of await filesOf(search, signal)) {
        if (valuesOf(file).length === depth) continue
        if (search.start?.kind === 'file') return true
        signal.throwIfAborted()
        const regularFile = await statFile(root, file, fingerprint)
        if (regularFile !== null && !isBesideData(regularFile)) return true
      }
    return false
  }

  for (let depth = 0; depth < branches.length && !isMixed; depth++) {
    let here = branches[depth] ?? []
    if (depth > 0 && here.length > 0) {
      await completeNames(depth)
      const test = filter.on(levels.slice(0, depth))
      here = here.filter((branch) => {
        const passes = test.passes(branch.values)
        if (!passes) {
          push(leftOut, branch)
          cut.add(branch.start)
        }
        return passes
      })
    }
    await read(here, visitFolders)
  }

  const depth = Math.max(0, ...depths)
  const partitionLevels = levels.slice(0, depth)
  const isLeftOutBelow = leftOut.length > depth + 1
  if (isMixed || depths.size === 0 || isLeftOutBelow) return null
  if (depths.size > 1 && (await haveRowsAbove(depth))) return null
  const test = filter.on(partitionLevels)
  const foundPaths: FoundPath[] = []
  for (const [index, search] of searches.entries()) {
    const { path, start } = search
    const files = await filesOf(search, signal)
    const isAsWritten = start?.kind === 'file'
    const passing = isAsWritten ? files.filter((file) => test.passes(valuesOf(file))) : files
    if (passing.length < files.length) cut.add(index)
    foundPaths.push({ path, isAsWritten, files: passing, isCut: cut.has(index) })
  }
  if (foundPaths.every(({ files }) => files.length === 0)) return null
  return { foundPaths, levels: partitionLevels, testKey: cut.size > 0 ? test.key : null }
}

function push(into: Branch[][], branch: Branch): void {
  const depth = branch.values.length
  into[depth] ??= []
  into[depth].push(branch)
}

function filesOf({ start, paths, links }: PathSearch, signal: AbortSignal): Promise<readonly FoundFile[]> {
  if (start === null) return Promise.resolve([])
  return start.kind === 'file' ? Promise.resolve([start.file]) : filesBelow(start, paths, links, signal)
}

function valuesOf({ path }: FoundFile): Values {
  return partitionsOfFile(path).map(({ value }) => value)
}
