import { type FileHandle, link, lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { createBoundedCalls } from '../datasets/file-system/bounded-calls.ts'
import type { DatasetRoot } from '../datasets/root.ts'

/** The system calls that write to the dataset root, with absolute paths. An interface, so that tests can put in a disk that is full. */
export interface WritingSystem {
  open(path: string, flags: number | string, mode?: number): Promise<FileHandle>
  mkdir(path: string): Promise<unknown>
  link(existing: string, path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
}

export const HOST_SYSTEM: WritingSystem = Object.freeze({
  open,
  mkdir: (path: string) => mkdir(path),
  link,
  rename,
  unlink,
})

/** Makes system calls in files of the dataset root, few at a time: all asynchronous calls of the process share four threads. */
export interface FileCalls {
  readonly system: WritingSystem
  /**
   * Makes a call. Calls with the same `lane` are made one after the other. Rejects with `path_unavailable` when the call takes
   * longer than a network file system may.
   */
  run<T>(lane: string, call: () => Promise<T>): Promise<T>
  /** Waits until the names in a folder are on the disk. */
  syncFolder(folder: string): Promise<void>
}

/** How many calls are made at a time: on a disk, and on a network file system, where each may hang. */
const LOCAL_CALLS = 2
const NETWORK_CALLS = 1

/** The most milliseconds of a call to a network file system, and of one that waits for a slow disk. */
const NETWORK_LIMIT_MS = 60_000
const LOCAL_LIMIT_MS = 3_600_000

/** What a file system answers that cannot synchronize folders. */
const CANNOT_SYNC: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EBADF'])

export function createFileCalls({ location, files }: DatasetRoot, system = HOST_SYSTEM): FileCalls {
  const isLocal = files.isLocal(location, location)
  const bounded = createBoundedCalls({
    concurrency: isLocal ? LOCAL_CALLS : NETWORK_CALLS,
    limitMs: isLocal ? LOCAL_LIMIT_MS : NETWORK_LIMIT_MS,
    nameOf: () => 'The dataset root',
  })
  /** Numbers the calls: none is shared by callers. */
  let count = 0
  const run = <T>(lane: string, call: () => Promise<T>): Promise<T> =>
    bounded.run(String(count++), lane, call)
  return {
    system,
    run,
    syncFolder: (folder) =>
      run(`${folder}/`, async () => {
        const handle = await open(folder, 'r')
        try {
          await handle.sync()
        } catch (error) {
          if (!CANNOT_SYNC.has((error as NodeJS.ErrnoException).code)) throw error
        } finally {
          await handle.close()
        }
      }),
  }
}

/** The entries of a folder of the service's own. None: there is no such folder. */
export async function entriesOf(folder: string): Promise<readonly string[]> {
  const stats = await lstat(folder).catch(() => null)
  // Through a link they would be those of another folder.
  return stats?.isDirectory() === true ? readdir(folder) : []
}
