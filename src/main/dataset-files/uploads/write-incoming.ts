import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { ServiceError } from '../../../plan/errors.ts'
import { freeMemory } from '../../../plan/free-memory.ts'
import type { FreeSpace } from '../../output/temp/free-space.ts'
import type { FileCalls } from '../file-calls.ts'
import type { IncomingFile } from './incoming-file.ts'

/** What may be written of an incoming file. */
export interface WritingLimits {
  /** The most bytes. */
  readonly mostBytes: number
  /** The error if there are more. */
  tooLarge(): ServiceError
  /** Null: nothing of the volume has to stay free. */
  readonly freeSpace: FreeSpace | null
}

/**
 * After so many bytes what has been written begins to go to the disk, so that less is left to wait for at the end: also of a part,
 * which has 32 MiB.
 */
const SYNC_BYTES = 8 << 20

/**
 * Writes an incoming file behind `position` of an open one while it arrives: one batch is written while the next one arrives.
 * Resolves with the number of its bytes when they are on the disk. Rejects with the limits' error, `digest_mismatch`, the error of a
 * system call, or that of the bytes. What has been written then is to be cut off.
 */
export async function writeIncoming(
  incoming: IncomingFile,
  handle: FileHandle,
  position: number,
  { run }: FileCalls,
  { mostBytes, tooLarge, freeSpace }: WritingLimits,
): Promise<number> {
  const lane = `write ${handle.fd}`
  const digest = incoming.sha256 === null ? null : createHash('sha256')
  let bytes = 0
  let writing: Promise<void> = Promise.resolve()
  let syncedBytes = 0
  let syncing: Promise<void> | null = null

  /** Begins to write to the disk, if it is time. An error is that of the last synchronization, too. */
  function beginSync(): void {
    if (syncing !== null || bytes - syncedBytes < SYNC_BYTES) return
    syncedBytes = bytes
    syncing = run(`sync ${handle.fd}`, () => handle.datasync())
      .catch(() => undefined)
      .finally(() => {
        syncing = null
      })
  }

  async function write(batch: readonly Buffer[], length: number, at: number): Promise<void> {
    const all = (): Promise<void> => run(lane, () => writeAll(handle, batch, length, at))
    await (freeSpace === null ? all() : freeSpace.writing(length, all))
    // The garbage collector would go through all objects for every 32 MB that arrive.
    for (const each of batch) freeMemory(each)
  }

  try {
    for await (const batch of incoming.batches()) {
      const length = batch.reduce((sum, each) => sum + each.length, 0)
      if (bytes + length > mostBytes) throw tooLarge()
      for (const each of batch) digest?.update(each)
      await writing
      writing = write(batch, length, position + bytes)
      // It is awaited before the next batch is written, and must not count as unhandled until then.
      writing.catch(() => {})
      bytes += length
      beginSync()
    }
    await writing
    if (digest !== null && incoming.sha256 !== null && !digest.digest().equals(incoming.sha256))
      throw new ServiceError(
        'digest_mismatch',
        `The ${bytes} bytes that arrived have another SHA-256 than Content-Digest says; send them again.`,
      )
    // It waits for what a synchronization before it has begun to write, so that is not waited for first.
    await run(lane, () => handle.sync())
  } finally {
    await writing.catch(() => {})
    await syncing
  }
  return bytes
}

/** `writev(2)` may write less than all of it. */
async function writeAll(
  handle: FileHandle,
  batch: readonly Buffer[],
  length: number,
  at: number,
): Promise<void> {
  const { bytesWritten } = await handle.writev([...batch], at)
  if (bytesWritten === length) return
  const rest = Buffer.concat(batch).subarray(bytesWritten)
  if (bytesWritten === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' })
  await writeAll(handle, [rest], rest.length, at + bytesWritten)
}
