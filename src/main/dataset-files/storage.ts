import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { hostFileSystem } from '../datasets/file-system/file-system.ts'
import { isBelow } from '../datasets/file-system/mounts.ts'
import type { FileCalls } from './file-calls.ts'

/** The volume of the dataset root. A figure is null if the system does not tell it. */
export interface Storage {
  readonly kind: 'local'
  /** The dataset root as it is configured. */
  readonly location: string
  readonly mount_point: string | null
  /** Bytes. What is used and what this process may still use are the total. */
  readonly total_space: number | null
  readonly used_space: number | null
  readonly free_space: number | null
  readonly used_percent: number | null
  readonly object_count: null
  readonly writable: boolean
}

/** @param root The absolute path of the root without links. */
export async function storageOf(location: string, root: string, { run }: FileCalls): Promise<Storage> {
  const [space, mountPoint, writable] = await Promise.all([
    run('statfs', () => spaceOf(root)),
    mountPointOf(root),
    run('access', () => access(root, constants.W_OK)).then(
      () => true,
      () => false,
    ),
  ])
  return { kind: 'local', location, mount_point: mountPoint, ...space, object_count: null, writable }
}

type Space = Pick<Storage, 'total_space' | 'used_space' | 'free_space' | 'used_percent'>

const UNKNOWN: Space = { total_space: null, used_space: null, free_space: null, used_percent: null }

async function spaceOf(root: string): Promise<Space> {
  const volume = await statfs(root).catch(() => null)
  if (volume === null || volume.blocks === 0) return UNKNOWN
  const total = volume.blocks * volume.bsize
  const free = volume.bavail * volume.bsize
  const used = total - free
  const percent = Math.round((used / total) * 10_000) / 100
  return { total_space: total, used_space: used, free_space: free, used_percent: percent }
}

/** The innermost folder above the root on which a file system is mounted. */
async function mountPointOf(root: string): Promise<string | null> {
  const points = await hostFileSystem.mountPoints()
  const above = points.filter((point) => point === root || isBelow(point, root))
  return above.toSorted((a, b) => b.length - a.length)[0] ?? null
}
