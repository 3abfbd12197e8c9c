import type { BigIntStats } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import { isMissing } from '../datasets/file-errors.ts'
import type { DatasetRoot } from '../datasets/root.ts'
import type { FileCalls } from './file-calls.ts'

/** Where a file is, or will be. */
export interface Place {
  /** Relative to the root, as the user knows it. */
  readonly path: string
  /** The absolute path of its folder, in which nothing is a symbolic link. */
  readonly folder: string
  readonly location: string
  /** What is there now, a link not followed. Null: nothing. */
  readonly stats: BigIntStats | null
  /** The absolute paths of the folders above it that are not there yet, the outermost first. */
  readonly missingFolders: readonly string[]
}

/**
 * Looks at the place of a file that is to be written or deleted. Nothing on the way may be a link: a link is followed for reading
 * alone. Rejects with `invalid_path`, or `path_unavailable`.
 * @param names Of its path, as `parseFilePath` gives them.
 */
export async function findPlace(root: DatasetRoot, names: readonly string[]): Promise<Place> {
  const path = names.join('/')
  const location = pathOf(root, names)
  requireOwn(root, location, path)
  for (let depth = 1; depth < names.length; depth++) {
    const above = names.slice(0, depth)
    const folder = pathOf(root, above)
    const stats = await statsOf(root, folder)
    if (stats === null) {
      const missingFolders = names
        .slice(depth, -1)
        .map((_, index) => pathOf(root, names.slice(0, depth + index + 1)))
      return {
        path,
        folder: parentOf(location),
        location,
        stats: null,
        missingFolders: [folder, ...missingFolders],
      }
    }
    if (!stats.isDirectory()) throw noFolder(path, above.join('/'), stats.isSymbolicLink())
  }
  const folder = parentOf(location)
  // Where case does not matter to the file system, it is the other spelling of a folder that is hidden.
  requireOwn(root, await root.files.realpath(folder), path)
  return { path, folder, location, stats: await statsOf(root, location), missingFolders: [] }
}

/** Makes the folders that are missing, each durably. Another upload may make them at the same time. */
export async function makeFolders(
  { missingFolders }: Place,
  { system, run, syncFolder }: FileCalls,
): Promise<void> {
  for (const folder of missingFolders) {
    await run(folder, () => system.mkdir(folder)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await syncFolder(parentOf(folder))
  }
}

function pathOf({ location }: DatasetRoot, names: readonly string[]): string {
  return `${location === '/' ? '' : location}/${names.join('/')}`
}

/** The folder of an absolute path below the root. */
function parentOf(location: string): string {
  return location.slice(0, location.lastIndexOf('/')) || '/'
}

async function statsOf({ files }: DatasetRoot, location: string): Promise<BigIntStats | null> {
  try {
    return await files.lstat(location)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function requireOwn({ files }: DatasetRoot, location: string, path: string): void {
  if (files.isHidden(location))
    throw new ServiceError(
      'invalid_path',
      `${path} is in a folder of the service itself, which holds no datasets.`,
    )
}

function noFolder(path: string, above: string, isLink: boolean): ServiceError {
  const reason = isLink ? 'is a link, which is not followed for writing' : 'is a file, and no folder'
  return new ServiceError('invalid_path', `${path}: ${above} ${reason}.`)
}
