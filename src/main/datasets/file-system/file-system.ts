import { type BigIntStats, type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { lstat, opendir, readFile, readlink, realpath, statfs } from 'node:fs/promises'

/** The system calls of the main thread, with absolute paths. An interface, so that tests can put in a file system that hangs. */
export interface FileSystem {
  lstat(path: string): Promise<BigIntStats>
  realpath(path: string): Promise<string>
  readlink(path: string): Promise<string>
  opendir(path: string): Promise<Folder>
  /** Undefined: there is nothing. */
  lstatSync(path: string): BigIntStats | undefined
  realpathSync(path: string): string
  readdirSync(path: string): readonly Dirent[]
  /** The type of the file system, as `statfs(2)` numbers it. */
  typeOf(path: string): Promise<number>
  /** Folders on which file systems are mounted. None where the system does not tell. */
  mountPoints(): Promise<readonly string[]>
}

/** An open folder. It is to be read to its end, or closed. */
export interface Folder extends AsyncIterable<Dirent> {
  read(): Promise<Dirent | null>
  close(): Promise<void>
}

/** Entries of one read. A folder of 100 000 files then blocks the event loop for at most 12 ms at a time, read at once 200 ms. */
const ENTRIES_PER_READ = 1024

export const hostFileSystem: FileSystem = Object.freeze({
  lstat: (path: string) => lstat(path, { bigint: true }),
  realpath: (path: string) => realpath(path),
  readlink: (path: string) => readlink(path),
  opendir: (path: string) => opendir(path, { bufferSize: ENTRIES_PER_READ }),
  lstatSync: (path: string) => lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  realpathSync: (path: string) => realpathSync.native(path),
  readdirSync: (path: string) => readdirSync(path, { withFileTypes: true }),
  typeOf: async (path: string) => (await statfs(path)).type,
  async mountPoints() {
    try {
      return mountPointsOf(await readFile('/proc/self/mountinfo', 'utf8'))
    } catch {
      // Only Linux has this file.
      return []
    }
  },
})

/** The mount points in the text of `/proc/self/mountinfo` (proc_pid_mountinfo(5)): the fifth field of each line. */
export function mountPointsOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const point = line.split(' ')[4]
    return point === undefined ? [] : [unescapeOctal(point)]
  })
}

/** Decodes blank, tab, line feed and backslash, each of which is written as a backslash and three octal digits. */
function unescapeOctal(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}
