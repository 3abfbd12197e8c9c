import type { FileSystem } from './file-system.ts'

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

/**
 * File systems that another machine or another process serves, so that a call may hang. Their numbers are those of
 * `statfs(2)`, from linux/magic.h and the manual page.
 */
const NETWORK_TYPES: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2 and 3
  0x65735546, // FUSE, and what is made with it: sshfs, s3fs, GlusterFS, virtiofs, …
  0x01021997, // 9P
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
  0x19830326, // BeeGFS
  0x20030528, // OrangeFS
  0xaad7aaea, // PanFS
  0xbeefdead, // StorNext
  0x5346414f, // OpenAFS
  0x6b414653, // AFS
  0x73757245, // Coda
  0x564c, // NCP
  0x01161970, // GFS2
  0x7461636f, // OCFS2
  0x786f4256, // VirtualBox shared folders
  0xbacbacbc, // VMware shared folders
  0x0187, // autofs, which mounts any of these on access
])

/** Whether a call to a file system of this type may wait for another machine or process. */
export function isNetworkType(type: number): boolean {
  // On some systems the number is negative: it was sign-extended from 32 bits.
  return NETWORK_TYPES.has(type >>> 0)
}
