import type { BigIntStats, Dirent } from 'node:fs'
import { relative } from 'node:path'
import type { ServiceError } from '../../../plan/errors.ts'
import { createBoundedCalls } from './bounded-calls.ts'
import { type FileSystem, type Folder, hostFileSystem } from './file-system.ts'
import { realpathBySteps, type Steps } from './links.ts'
import { isBelow, readMounts } from './mounts.ts'

/**
 * How the main thread looks at the dataset root. On a network file system nothing waits on the main thread: its calls are
 * asynchronous, few at a time, and given up after a while with `path_unavailable`.
 */
export interface DatasetFiles {
  /** Of a path that leads through no links. */
  lstat(location: string): Promise<BigIntStats>
  realpath(path: string): Promise<string>
  /** What is in a folder, whose path leads through no links. */
  entries(location: string): Promise<AsyncIterable<Dirent>>
  /** Whether a path that led to a location (null: nowhere) can be looked at on the main thread, by the calls that follow. */
  isLocal(path: string, location: string | null): boolean
  /** Undefined: there is nothing. */
  lstatSync(path: string): BigIntStats | undefined
  realpathSync(path: string): string
  /** Why nobody is to open a location now: a call for it is late. Null: nothing is known against it. */
  refusal(location: string): ServiceError | null
}

export interface DatasetFilesOptions {
  readonly system: FileSystem
  /** How long a call may take, milliseconds. */
  readonly limitMs: number
  /** Calls to network file systems at a time. */
  readonly atOnce: number
}

/** Threads that all asynchronous calls of the process share, libuv's default. */
const POOL_THREADS = 4

const DEFAULTS: DatasetFilesOptions = Object.freeze({
  system: hostFileSystem,
  limitMs: 5000,
  // Half of them: the other half is left to files of this machine, compression and names of hosts.
  atOnce: Math.max(1, Math.floor((Number(process.env.UV_THREADPOOL_SIZE) || POOL_THREADS) / 2)),
})

/** `root` is absolute and leads through no links. */
export async function openDatasetFiles(
  root: string,
  options: Partial<DatasetFilesOptions> = {},
): Promise<DatasetFiles> {
  const { system, limitMs, atOnce } = { ...DEFAULTS, ...options }
  // The system's own path of anything is not the user's to know.
  const nameOf = (path: string): string =>
    isBelow(root, path) ? relative(root, path) : path === root ? 'The dataset root' : 'What a link leads to'
  const calls = createBoundedCalls({ atOnce, limitMs, nameOf })
  const read = () => readMounts(root, system, (path, call) => calls.run('statfs', path, call))
  let mounts = await read()
  /** Devices that have been seen. One that is new may be a file system that was mounted since. */
  const devices = new Set([(await system.lstat(root)).dev])
  /** Calls of a kind that no two callers share. */
  let own = 0

  async function lstat(location: string): Promise<BigIntStats> {
    const look = (): Promise<BigIntStats> => system.lstat(location)
    const stats = await (mounts.isRemote(location) ? calls.run('lstat', location, look) : look())
    if (!devices.has(stats.dev)) {
      devices.add(stats.dev)
      mounts = await read()
    }
    return stats
  }

  const steps: Steps = {
    lstat,
    readlink: system.readlink,
    elsewhere: (location, rest) =>
      mounts.isRemote(location) ? remoteRealpath([location, ...rest].join('/')) : null,
  }

  function remoteRealpath(path: string): Promise<string> {
    return calls.run('realpath', path, () => system.realpath(path))
  }

  /** A folder that is opened when nobody waits for it any more is closed. */
  async function openRemote(location: string): Promise<Folder> {
    let isGivenUp = false
    async function open(): Promise<Folder> {
      const folder = await system.opendir(location)
      if (isGivenUp) close(folder)
      return folder
    }
    try {
      return await calls.run(`opendir ${own++}`, location, open)
    } catch (error) {
      isGivenUp = true
      throw error
    }
  }

  async function* remoteEntries(location: string): AsyncGenerator<Dirent, void> {
    const folder = await openRemote(location)
    try {
      for (;;) {
        const entry = await calls.run(`read ${own++}`, location, () => folder.read())
        if (entry === null) return
        yield entry
      }
    } finally {
      close(folder)
    }
  }

  return {
    lstat,
    async realpath(path) {
      if (mounts.areLocal) return system.realpath(path)
      if (mounts.isRootRemote || !isBelow(root, path)) return remoteRealpath(path)
      return realpathBySteps(root, relative(root, path), steps)
    },
    async entries(location): Promise<AsyncIterable<Dirent>> {
      return mounts.isRemote(location) ? remoteEntries(location) : system.opendir(location)
    },
    isLocal: (path, location) => mounts.areLocal || (path === location && !mounts.isRemote(path)),
    lstatSync: system.lstatSync,
    realpathSync: system.realpathSync,
    refusal: calls.lateness,
  }
}

/** Closes a folder when the last read of it has returned. Nobody waits for that. */
function close(folder: Folder): void {
  folder.close().catch(() => {})
}
