import { realpath, stat } from 'node:fs/promises'
import { ServiceError } from '../../plan/errors.ts'
import { type DatasetFiles, type DatasetFilesOptions, openDatasetFiles } from './file-system/dataset-files.ts'

/** The folder that holds every file a query may read. */
export interface DatasetRoot {
  /** Absolute, without symbolic links. */
  readonly location: string
  /** File system calls for the files in it. */
  readonly files: DatasetFiles
}

/** Rejects with `invalid_path` when there is no such folder, or something that is no folder. */
export async function openDatasetRoot(
  folder: string,
  options: Partial<DatasetFilesOptions> = {},
): Promise<DatasetRoot> {
  try {
    const location = await realpath(folder)
    if ((await stat(location)).isDirectory())
      return Object.freeze({ location, files: await openDatasetFiles(location, options) })
  } catch (error) {
    throw new ServiceError('invalid_path', `The dataset root ${folder} cannot be opened.`, { cause: error })
  }
  throw new ServiceError('invalid_path', `The dataset root ${folder} is not a folder.`)
}

/** Whether an absolute path without symbolic links is the root or lies in it, and not in a folder of the service itself. */
export function isInside(root: DatasetRoot, location: string): boolean {
  return isInRoot(root, location) && !root.files.isHidden(location)
}

function isInRoot(root: DatasetRoot, location: string): boolean {
  return location === root.location || location.startsWith(root.location === '/' ? '/' : `${root.location}/`)
}
