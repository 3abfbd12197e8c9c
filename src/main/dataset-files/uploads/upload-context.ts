import { ServiceError } from '../../../plan/errors.ts'
import type { DatasetRoot } from '../../datasets/root.ts'
import type { FreeSpace } from '../../output/temp/free-space.ts'
import type { FileCalls } from '../file-calls.ts'
import { parseFilePath } from '../file-path.ts'
import { findPlace } from '../place.ts'
import { requireFree } from './publish.ts'
import type { ReservedPaths } from './reserved-paths.ts'
import type { Staging } from './staging.ts'

/** What uploads in one piece and in parts share. */
export interface UploadContext {
  readonly root: DatasetRoot
  /** The name of the folder for uploads in the dataset root. */
  readonly stagingName: string
  readonly staging: Staging
  readonly calls: FileCalls
  readonly reserved: ReservedPaths
  /** The most bytes of a file. Infinity: there is no limit. */
  readonly mostBytes: number
  /** Keeps a part of the volume free. Null: all of it may be used. */
  readonly freeSpace: FreeSpace | null
  /** The bytes of the volume that uploads may still use. */
  usableBytes(): Promise<number>
}

/** A file that is there as a whole. */
export interface UploadedFile {
  /** Relative to the root. */
  readonly path: string
  readonly size: number
}

/**
 * The names of the path to which a file may be uploaded as far as is known before its bytes. Rejects with `invalid_path`, `file_exists`,
 * `upload_too_large` or `volume_full`.
 * @param announcedBytes How many there will be. Null: that is not known.
 */
export async function checkUpload(
  context: UploadContext,
  path: string,
  replaces: boolean,
  announcedBytes: number | null,
): Promise<readonly string[]> {
  const names = parseFilePath(path, context.stagingName)
  requireFree(await findPlace(context.root, names), replaces)
  if (announcedBytes === null) return names
  if (announcedBytes > context.mostBytes) throw uploadTooLarge(context.mostBytes)
  if (announcedBytes > (await context.usableBytes()))
    throw new ServiceError(
      'volume_full',
      `${path}: the disk of the dataset root has no room for ${announcedBytes} bytes; delete files, or enlarge it.`,
    )
  return names
}

export function uploadTooLarge(mostBytes: number): ServiceError {
  return new ServiceError(
    'upload_too_large',
    `The file has more than ${mostBytes} bytes, the most that an upload may have (SERVICE_MAX_UPLOAD_BYTES).`,
  )
}
