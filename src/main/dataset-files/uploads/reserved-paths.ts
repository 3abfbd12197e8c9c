import { ServiceError } from '../../../plan/errors.ts'

/** The paths to which files are being uploaded, each by one upload. */
export interface ReservedPaths {
  /** Throws `upload_conflict` if another upload has the path. `upload`: what it is, for messages. */
  reserve(path: string, upload: string): void
  release(path: string): void
}

export function createReservedPaths(): ReservedPaths {
  const uploads = new Map<string, string>()
  return {
    reserve(path, upload) {
      const other = uploads.get(path)
      if (other !== undefined)
        throw new ServiceError('upload_conflict', `${path} is being uploaded by ${other}.`)
      uploads.set(path, upload)
    },
    release: (path) => void uploads.delete(path),
  }
}
