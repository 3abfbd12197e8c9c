import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { ServiceError } from '../../plan/errors.ts'
import { CLOCK_TICK_MS } from '../../plan/source/version.ts'
import type { TrailMaker } from './fingerprint/fingerprint.ts'
import { type InspectedFile, inspect } from './inspect.ts'
import type { DatasetRoot } from './root.ts'

/** Ticks that a file may go on changing. */
const TICKS = 5

/** A link that took the file's place is not followed, and a pipe there keeps nobody waiting. */
const HELD = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * The files, each at a moment when nothing was being written to it: `write(2)` notes its time before it copies, so a
 * file that was written to just now may be half one version and half another and keep this time. Such a file is
 * looked at again a tick later. Null for what is gone by then. Throws `file_changed` for a file that is written to all
 * the time; one that is replaced all the time is whole, whichever it is.
 */
export async function settle(
  root: DatasetRoot,
  files: readonly (InspectedFile | null)[],
  signal: AbortSignal,
  trail: TrailMaker,
): Promise<readonly (InspectedFile | null)[]> {
  if (!files.some((file) => file !== null && mayBeInWriting(file))) return files
  return Promise.all(
    files.map((file) =>
      file !== null && mayBeInWriting(file) ? settleOne(root, file, signal, trail) : file,
    ),
  )
}

async function settleOne(
  root: DatasetRoot,
  file: InspectedFile,
  signal: AbortSignal,
  trail: TrailMaker,
): Promise<InspectedFile | null> {
  const { path, location } = file
  let last = file
  let isReplaced = false
  let held: HeldFile | null = null
  try {
    for (let tick = 0; tick < TICKS; tick++) {
      await setTimeout(CLOCK_TICK_MS)
      signal.throwIfAborted()
      const next = await inspect(root, { path, location, isLink: false, stats: null }, trail)
      if (next === null || isUnchanged(last, next)) return next
      isReplaced ||= next.stats.ino !== (held?.inode ?? last.stats.ino)
      // An open may hang on a network; without it, at worst, a file that is replaced all the time is not told from one that is written to.
      if (root.files.isLocal(location, location)) held ??= await hold(location)
      last = next
    }
    if (isReplaced) return last
    throw new ServiceError('file_changed', `"${path}" is being written to; ask again.`)
  } finally {
    await held?.handle.close()
  }
}

interface HeldFile {
  readonly handle: FileHandle
  readonly inode: bigint
}

/**
 * Opens a file, so that its inode number is its own until it is closed: what takes its place has another one. File systems
 * give the number of a deleted file to a new one; on ext4 a file that is replaced again and again has two in turn. Null for
 * a file that cannot be opened: its reader tells why.
 */
async function hold(location: string): Promise<HeldFile | null> {
  const handle = await open(location, HELD).catch(() => null)
  try {
    return handle && { handle, inode: (await handle.stat({ bigint: true })).ino }
  } catch {
    await handle?.close()
    return null
  }
}

/** Whether the last change was a write, and so short ago that the same call may still be at it. */
function mayBeInWriting({ stats }: InspectedFile): boolean {
  return stats.mtimeNs === stats.ctimeNs && Date.now() - Number(stats.mtimeMs) < CLOCK_TICK_MS
}

function isUnchanged(a: InspectedFile, b: InspectedFile): boolean {
  return a.stats.ino === b.stats.ino && a.stats.ctimeNs === b.stats.ctimeNs && a.stats.size === b.stats.size
}
