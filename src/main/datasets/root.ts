import { realpath, stat } from 'node:fs/promises'
import { ServiceError } from '../../plan/errors.ts'
import { type DatasetFiles, type DatasetFilesOptions, openDatasetFiles } from './file-system/dataset-files.ts'

/** The folder that holds every file a query may read. */
export interface DatasetRoot {
  /** Absolute, without symbolic links. */
  readonly location: string
  /** How what is in it is looked at. */
  readonly files: DatasetFiles
}

/** Throws `invalid_path` when the folder is missing or no folder. */
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

/** Whether an absolute path without symbolic links lies in the root, or is it. */
export function isInside(root: DatasetRoot, location: string): boolean {
  return location === root.location || location.startsWith(root.location === '/' ? '/' : `${root.location}/`)
}
