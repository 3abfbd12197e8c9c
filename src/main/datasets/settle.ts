import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { ServiceError } from '../../plan/errors.ts'
import { CLOCK_TICK_MS, isSettled } from '../../plan/source/version.ts'
import { createSlice } from '../../plan/steps.ts'
import type { FingerprintRecorder } from './fingerprint/fingerprint.ts'
import type { DatasetRoot } from './root.ts'
import { type RegularFile, statFile } from './stat.ts'

/** Clock ticks that a file may go on changing. */
const TICKS = 5

/** A clock tick in any case: Node's timers are up to a millisecond early. */
const WAIT_MS = CLOCK_TICK_MS + 1

/** If the file's place was taken by a link, `open` does not follow it; if by a pipe, `open` does not wait for a writer. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * The files, each with its stats from a moment when nobody was writing to it. `write(2)` sets the time of the file before it
 * copies the bytes: a file that was written to just now may still be half old and half new, and its version stays the same
 * when the write is complete. The stats of such a file are taken again a clock tick later, until they stay the same. Null: the
 * file is gone by then. Rejects with `file_changed` for a file that is written to all the time. A file that is replaced all
 * the time is accepted: each of its versions is complete.
 */
export async function settle(
  root: DatasetRoot,
  files: readonly (RegularFile | null)[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
): Promise<readonly (RegularFile | null)[]> {
  const settled = [...files]
  const slice = createSlice()
  const waiting: Promise<void>[] = []
  let at = 0
  for (const file of files) {
    const index = at++
    if (slice.isOver()) await slice.next()
    if (file === null || !mayBeWrittenTo(file)) continue
    const settling = settleOne(root, file, signal, fingerprint).then((regularFile) => {
      settled[index] = regularFile
    })
    // Awaited with all others. Until then a rejection must not count as unhandled.
    settling.catch(() => {})
    waiting.push(settling)
  }
  if (waiting.length === 0) return files
  await Promise.all(waiting)
  return settled
}

async function settleOne(
  root: DatasetRoot,
  file: RegularFile,
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
): Promise<RegularFile | null> {
  const { path, location } = file
  let last = file
  let isReplaced = false
  let held: HeldFile | null = null
  try {
    for (let tick = 0; tick < TICKS; tick++) {
      await setTimeout(WAIT_MS)
      signal.throwIfAborted()
      const next = await statFile(root, { path, location, isLink: false, stats: null }, fingerprint)
      if (next === null || isUnchanged(last, next)) return next
      isReplaced ||= next.version.inode !== (held?.inode ?? last.version.inode)
      // On a network file system `open` may hang. Without it a file that is replaced all the time may be refused as well.
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
 * Opens a file to reserve its inode number: while it is open, no file that takes its place can have the same one. File
 * systems give the number of a deleted file to a new one; on ext4 a file that is replaced again and again has two numbers by
 * turns. Null: the file cannot be opened, an error that is left to its reader.
 */
async function hold(location: string): Promise<HeldFile | null> {
  const handle = await open(location, OPEN_FLAGS).catch(() => null)
  try {
    return handle && { handle, inode: (await handle.stat({ bigint: true })).ino }
  } catch {
    await handle?.close()
    return null
  }
}

/** Whether the last change was a write less than a clock tick ago: the system call may still be copying. */
function mayBeWrittenTo({ version }: RegularFile): boolean {
  const { mtimeNs, ctimeNs } = version
  return mtimeNs === ctimeNs && !isSettled({ ctimeNs, size: 0n })
}

function isUnchanged({ version: a }: RegularFile, { version: b }: RegularFile): boolean {
  return a.inode === b.inode && a.ctimeNs === b.ctimeNs && a.size === b.size
}
