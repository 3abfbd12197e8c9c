import type { BigIntStats, Dirent } from 'node:fs'
import { relative } from 'node:path'
import type { ServiceError } from '../../../plan/errors.ts'
import { createBoundedCalls } from './bounded-calls.ts'
import { type FileSystem, type Folder, hostFileSystem } from './file-system.ts'
import { realpathBySteps, type Steps } from './links.ts'
import { isBelow, readMounts } from './mounts.ts'

/**
 * The file system calls that the main thread makes for the dataset root. Calls to a network file system may hang: they are
 * asynchronous, few at a time, and reject with `path_unavailable` after a time limit. Locations are absolute paths without
 * symbolic links.
 */
export interface DatasetFiles {
  lstat(location: string): Promise<BigIntStats>
  realpath(path: string): Promise<string>
  /** The entries of a folder. */
  entries(location: string): Promise<AsyncIterable<Dirent>>
  /** Whether the synchronous calls may be made for a path that led to a location, or to nothing (null). */
  isLocal(path: string, location: string | null): boolean
  /** Undefined: there is nothing. */
  lstatSync(path: string): BigIntStats | undefined
  realpathSync(path: string): string
  /** For threads that nobody waits for: a folder of 100 000 files takes 0.1 s. */
  entriesSync(location: string): readonly Dirent[]
  /** Whether a location is in a folder that belongs to the service itself and holds no datasets. */
  isHidden(location: string): boolean
  /** The error of a location that must not be opened now, because a call for it is late. Null: none is. */
  refusal(location: string): ServiceError | null
}

export interface DatasetFilesOptions {
  readonly system: FileSystem
  /** The most milliseconds that a call to a network file system may take. */
  readonly limitMs: number
  /** The most calls to network file systems at the same time. */
  readonly concurrency: number
  /** Folders that hold no datasets if they lie below the root. Absolute paths without symbolic links. */
  readonly hidden: readonly string[]
}

/** Threads of libuv's pool by default. All asynchronous file system calls of the process share them. */
const POOL_THREADS = 4

const DEFAULTS: DatasetFilesOptions = Object.freeze({
  system: hostFileSystem,
  limitMs: 5000,
  // Half of the pool. The rest is left to local files, compression and name resolution.
  concurrency: Math.max(1, Math.floor((Number(process.env.UV_THREADPOOL_SIZE) || POOL_THREADS) / 2)),
  hidden: [],
})

/** `root` is absolute, without symbolic links. */
export async function openDatasetFiles(
  root: string,
  options: Partial<DatasetFilesOptions> = {},
): Promise<DatasetFiles> {
  const { system, limitMs, concurrency, ...others } = { ...DEFAULTS, ...options }
  const hidden = others.hidden.filter((folder) => isBelow(root, folder))
  // Messages must not tell users absolute paths of the host.
  const nameOf = (path: string): string =>
    isBelow(root, path) ? relative(root, path) : path === root ? 'The dataset root' : 'What a link leads to'
  const calls = createBoundedCalls({ concurrency, limitMs, nameOf })
  const read = () => readMounts(root, system, (path, call) => calls.run('statfs', path, call))
  let mounts = await read()
  /** Devices that have been seen. A new one may be a file system that was mounted since, so the mounts are read again. */
  const devices = new Set([(await system.lstat(root)).dev])
  /** Numbers the calls that must not be shared between callers. */
  let unshared = 0

  async function lstat(location: string): Promise<BigIntStats> {
    const call = (): Promise<BigIntStats> => system.lstat(location)
    const stats = await (mounts.isRemote(location) ? calls.run('lstat', location, call) : call())
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

  /** Opens a folder. If the call returns after its time limit, the folder is closed at once. */
  async function openRemote(location: string): Promise<Folder> {
    let isGivenUp = false
    async function open(): Promise<Folder> {
      const folder = await system.opendir(location)
      if (isGivenUp) close(folder)
      return folder
    }
    try {
      return await calls.run(`opendir ${unshared++}`, location, open)
    } catch (error) {
      isGivenUp = true
      throw error
    }
  }

  async function* remoteEntries(location: string): AsyncGenerator<Dirent, void> {
    const folder = await openRemote(location)
    try {
      for (;;) {
        const entry = await calls.run(`read ${unshared++}`, location, () => folder.read())
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
    entriesSync: system.readdirSync,
    isHidden: (location) => hidden.some((folder) => location === folder || isBelow(folder, location)),
    refusal: calls.lateness,
  }
}

/** Closes a folder once its last read has returned, without waiting for that. */
function close(folder: Folder): void {
  folder.close().catch(() => {})
}
