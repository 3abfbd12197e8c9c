import { isServiceError, ServiceError } from '../../plan/errors.ts'

/**
 * The error for a system call that has failed while a file was brought into the dataset root, or deleted.
 * @param path As the user knows it.
 */
export function writeFailure(cause: unknown, path: string): ServiceError {
  if (isServiceError(cause)) return cause
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException
  const error = (as: ConstructorParameters<typeof ServiceError>[0], message: string): ServiceError =>
    new ServiceError(as, message, { cause })
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return error(
        'volume_full',
        `${path}: the disk of the dataset root is full; delete files, or enlarge it.`,
      )
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return error(
        'not_writable',
        `${path}: the service cannot write to the dataset root (${code}); mount it writable, and let the service's user write.`,
      )
    case 'EXDEV':
      return error(
        'not_writable',
        `${path}: its folder is on another volume than the dataset root, and a file cannot be moved there at once.`,
      )
    case 'EFBIG':
      return error('upload_too_large', `${path}: the file system takes no file of this size.`)
    case 'ENAMETOOLONG':
    case 'EILSEQ':
    case 'EINVAL':
      return error('invalid_path', `${path}: the file system takes no such name (${code}).`)
    case 'EISDIR':
      return error('invalid_path', `${path} is a folder.`)
    case 'ENOTDIR':
    case 'ELOOP':
      return error('invalid_path', `${path}: a part of the path is no folder.`)
    case 'EEXIST':
      return fileExists(path, cause)
    default:
      return error('upload_failed', `${path} could not be written (${code}).`)
  }
}

export function fileExists(path: string, cause?: unknown): ServiceError {
  return new ServiceError('file_exists', `${path} is there already; overwrite=true replaces it.`, { cause })
}

export function fileNotFound(path: string): ServiceError {
  return new ServiceError(
    'file_not_found',
    `There is no file ${path}; /api/list-datasets shows what there is.`,
  )
}
