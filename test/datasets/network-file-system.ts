import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { type FileSystem, hostFileSystem } from '../../src/main/datasets/file-system/file-system.ts'

/** Of NFS, in `statfs(2)`. */
export const NFS = 0x6969

/** Of a file system of this machine. */
export const EXT4 = 0xef53

export interface NetworkFileSystem {
  readonly system: FileSystem
  /** Calls that have reached it. */
  readonly calls: readonly string[]
  /** Calls that the main thread waited for. There should be none. */
  readonly syncCalls: readonly string[]
  /** Calls that have reached it and not returned; the most that ever were. */
  readonly pending: number
  readonly mostPending: number
  /** From now on no call for these paths returns, or for any. Resolves when one of them has been made. */
  hang(...paths: readonly string[]): Promise<void>
  /** All return. */
  resume(): void
}

/** The host's file system, of which a folder, or several, behave as if they were mounted from a server. */
export function networkFileSystem(...mounts: readonly string[]): NetworkFileSystem {
  const calls: string[] = []
  const syncCalls: string[] = []
  let pending = 0
  let mostPending = 0
  let hung: ((path: string) => boolean) | null = null
  let answering = Promise.withResolvers<void>()
  let reached = Promise.withResolvers<void>()

  const isAt = (path: string): boolean =>
    mounts.some((mount) => path === mount || path.startsWith(`${mount}/`))

  const leadsToOne = (path: string): boolean => {
    try {
      return isAt(realpathSync(path))
    } catch {
      return false
    }
  }

  /** Whether a mount is on the way to a path, whose last name is not followed if it is a link. */
  function isOver(path: string): boolean {
    const names = path.split('/')
    return (
      isAt(path) || names.some((_, index) => index > 0 && leadsToOne(names.slice(0, index).join('/') || '/'))
    )
  }

  async function over<T>(isFollowed: boolean, path: string, call: () => Promise<T>): Promise<T> {
    if (!isOver(isFollowed ? `${path}/` : path)) return call()
    calls.push(path)
    mostPending = Math.max(mostPending, ++pending)
    if (hung?.(path)) {
      reached.resolve()
      await answering.promise
    }
    try {
      return await call()
    } finally {
      pending--
    }
  }

  function sync(isFollowed: boolean, path: string): void {
    if (isOver(isFollowed ? `${path}/` : path)) syncCalls.push(path)
  }

  return {
    calls,
    syncCalls,
    get pending() {
      return pending
    },
    get mostPending() {
      return mostPending
    },
    system: {
      lstat: (path) => over(false, path, () => hostFileSystem.lstat(path)),
      realpath: (path) => over(true, path, () => hostFileSystem.realpath(path)),
      readlink: (path) => over(false, path, () => hostFileSystem.readlink(path)),
      opendir: (path) => over(true, path, () => hostFileSystem.opendir(path)),
      lstatSync(path) {
        sync(false, path)
        return lstatSync(path, { bigint: true, throwIfNoEntry: false })
      },
      realpathSync(path) {
        sync(true, path)
        return realpathSync.native(path)
      },
      readdirSync(path) {
        sync(true, path)
        return readdirSync(path, { withFileTypes: true })
      },
      typeOf: (path) => over(true, path, async () => (isAt(path) ? NFS : EXT4)),
      mountPoints: async () => ['/', '/proc', ...mounts],
    },
    hang(...paths) {
      answering = Promise.withResolvers()
      reached = Promise.withResolvers()
      hung = (path) => paths.length === 0 || paths.includes(path)
      return reached.promise
    },
    resume() {
      hung = null
      answering.resolve()
    },
  }
}
