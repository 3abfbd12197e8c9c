import type { FileSystem } from './file-system.ts'
import { isNetworkType } from './network-types.ts'

/** Which folders of a dataset root are on network file systems. */
export interface Mounts {
  /** Whether none is. Then links that stay inside the root do not lead to one either. */
  readonly areLocal: boolean
  /** Whether the root itself is on one. */
  readonly isRootRemote: boolean
  /**
   * Whether an absolute path without symbolic links is on one. Of paths outside the root nothing is known: they count as
   * remote, unless all of the root is local.
   */
  isRemote(location: string): boolean
}

interface Mount {
  readonly location: string
  readonly isRemote: boolean
}

/**
 * Asks each file system that is mounted at the root or below it for its type. One that gives none, in the time that `ask`
 * allows, counts as a network file system.
 */
export async function readMounts(
  root: string,
  system: Pick<FileSystem, 'typeOf' | 'mountPoints'>,
  ask: (path: string, call: () => Promise<number>) => Promise<number>,
): Promise<Mounts> {
  async function mountAt(location: string): Promise<Mount> {
    const type = ask(location, () => system.typeOf(location))
    return { location, isRemote: await type.then(isNetworkType, () => true) }
  }
  const below = new Set((await system.mountPoints()).filter((point) => isBelow(root, point)))
  const [top, ...mounts] = await Promise.all([mountAt(root), ...[...below].map(mountAt)])
  // The innermost mount of a path is the one with the longest name.
  mounts.sort((a, b) => b.location.length - a.location.length)
  const all = [...mounts, top]
  const areLocal = !all.some(({ isRemote }) => isRemote)
  return Object.freeze({
    areLocal,
    isRootRemote: top.isRemote,
    isRemote(path: string) {
      if (areLocal) return false
      return all.find(({ location }) => location === path || isBelow(location, path))?.isRemote ?? true
    },
  })
}

export function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
