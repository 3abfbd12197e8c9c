import { ServiceError } from '../../plan/errors.ts'

/** A path or pattern of a request, relative to the dataset root. */
export interface DatasetPath {
  readonly names: readonly string[]
  /** The path ends in `/` and so means the files below it. */
  readonly isFolder: boolean
}

/** The longest path that Linux accepts, in bytes (`PATH_MAX`). It also bounds the time that matching takes. */
const PATH_BYTES = 4096

/**
 * Splits a path into names, exactly as it is written: nothing is percent-decoded. Empty and `.` parts are dropped. Throws
 * `invalid_path` for an empty path and for one that could lead out of the root.
 */
export function parsePath(path: string): DatasetPath {
  const fault = faultOf(path)
  if (fault !== null)
    throw new ServiceError('invalid_path', `The path ${JSON.stringify(path.slice(0, 200))} ${fault}.`, {
      about: path,
    })
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  return { names, isFolder: names.length === 0 || /(?:^|\/)\.?$/.test(path) }
}

function faultOf(path: string): string | null {
  if (path === '') return 'is empty'
  if (Buffer.byteLength(path) > PATH_BYTES) return `is longer than ${PATH_BYTES} bytes`
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return 'has a scheme; paths are relative to the dataset root'
  if (path.startsWith('/'))
    return 'is absolute; paths are relative to the dataset root, as /api/list-datasets shows them'
  if (path.split('/').includes('..'))
    return 'has a `..` part; paths are relative to the dataset root, which no query leaves'
  if (path.includes('\0') || !path.isWellFormed()) return 'is no valid text for a path'
  return null
}
