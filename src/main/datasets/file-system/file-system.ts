import { type BigIntStats, type Dirent, lstatSync, realpathSync } from 'node:fs'
import { lstat, opendir, readFile, readlink, realpath, statfs } from 'node:fs/promises'
import { mountPointsOf } from './mount-info.ts'

/** What the main thread asks the system about paths. All are absolute. Tests put one in its place that hangs. */
export interface FileSystem {
  lstat(path: string): Promise<BigIntStats>
  realpath(path: string): Promise<string>
  readlink(path: string): Promise<string>
  opendir(path: string): Promise<Folder>
  /** On this thread, which waits for the answer. Undefined: there is nothing. */
  lstatSync(path: string): BigIntStats | undefined
  realpathSync(path: string): string
  /** The type of the file system, as `statfs(2)` numbers it. */
  typeOf(path: string): Promise<number>
  /** Folders on which file systems are mounted; none where the system does not tell. */
  mountPoints(): Promise<readonly string[]>
}

/** An open folder. It is to be read to its end, or closed. */
export interface Folder extends AsyncIterable<Dirent> {
  read(): Promise<Dirent | null>
  close(): Promise<void>
}

/** Entries read in one go: a folder of 100 000 files then holds the event loop for 12 ms at most, all at once 200 ms. */
const ENTRIES = 1024

export const hostFileSystem: FileSystem = Object.freeze({
  lstat: (path: string) => lstat(path, { bigint: true }),
  realpath: (path: string) => realpath(path),
  readlink: (path: string) => readlink(path),
  opendir: (path: string) => opendir(path, { bufferSize: ENTRIES }),
  lstatSync: (path: string) => lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  realpathSync: (path: string) => realpathSync.native(path),
  typeOf: async (path: string) => (await statfs(path)).type,
  async mountPoints() {
    try {
      return mountPointsOf(await readFile('/proc/self/mountinfo', 'utf8'))
    } catch {
      // Linux alone has it.
      return []
    }
  },
})
