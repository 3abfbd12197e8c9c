import { ServiceError } from '../../plan/errors.ts'
import { parsePath } from '../patterns/path.ts'

/** The most bytes of a name (`NAME_MAX` of Linux). */
const NAME_BYTES = 255

/** The folder in the dataset root that has uploads until they are whole. */
export function stagingName(name: string): string {
  return `__${name}__`
}

/**
 * The names of the path of one file, relative to the dataset root: exactly as they are written, so that `*` is a letter as any
 * other. Throws `invalid_path` for a path that could lead out of the root, names a folder, or lies in the service's own.
 * @param staging The name of the folder that has uploads until they are whole.
 */
export function parseFilePath(path: string, staging: string): readonly string[] {
  const { names, isFolder } = parsePath(path)
  const fault = faultOf(path, names, isFolder, staging)
  if (fault === null) return names
  throw new ServiceError('invalid_path', `The path ${JSON.stringify(path.slice(0, 200))} ${fault}.`, {
    about: path,
  })
}

function faultOf(path: string, names: readonly string[], isFolder: boolean, staging: string): string | null {
  const [first = ''] = names
  if (path.includes('\\')) return 'has a backslash; names are separated by /'
  if (path.split('/').includes('.')) return 'has a `.` part; write it without'
  if (isFolder) return 'is that of a folder; name a file'
  // On some file systems names of other cases, or of other forms of the same letters, are the same.
  if (first.normalize('NFKC').toLowerCase() === staging.toLowerCase())
    return 'is in a folder of the service itself, which holds no datasets'
  if (names.some((name) => Buffer.byteLength(name) > NAME_BYTES))
    return `has a name of more than ${NAME_BYTES} bytes`
  return null
}
