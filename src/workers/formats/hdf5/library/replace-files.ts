import type { LibraryFiles, LibraryStream } from './module.ts'

/** `errno` of WASI. */
export const EIO = 29
export const ENOENT = 44

/** The functions of the library's files that still work. All others fail. */
const KEPT = new Set(['createStream', 'closeStream', 'getStreamChecked', 'getStream', 'isClosed', 'nextfd'])

/** Replaces the functions by which an instance of the library reaches the file system: only those of `working` do not fail. */
export function replaceFiles(files: LibraryFiles, working: object): void {
  for (const [name, member] of Object.entries(files))
    if (typeof member === 'function' && !KEPT.has(name) && !/^(?:is|ErrnoError|FSStream|FSNode)/.test(name))
      Object.assign(files, { [name]: () => failIn(files, ENOENT) })
  Object.assign(files, working)
}

export function failIn(files: LibraryFiles, errno: number): never {
  throw new files.ErrnoError(errno)
}

/** Moves a stream of a file, as `lseek` does. */
export function seek(
  files: LibraryFiles,
  stream: LibraryStream,
  offset: number,
  whence: number,
  bytes: number,
): number {
  const position = offset + ([0, stream.position, bytes][whence] ?? Number.NaN)
  if (!(position >= 0)) failIn(files, EIO)
  stream.position = position
  return position
}

/** What `stat` gives. With one device and one inode: an instance has one file open. */
export function statsOf(size: number, mode: number): object {
  const time = new Date(0)
  const times = { atime: time, mtime: time, ctime: time }
  const owner = { nlink: 1, uid: 0, gid: 0, rdev: 0 }
  return { dev: 1, ino: 1, mode, ...owner, size, blksize: 4096, blocks: 0, ...times }
}
