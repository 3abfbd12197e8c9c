import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../plan/errors.ts'
import type { Chunks } from './body.ts'

/** A result being written: it has no name any more, so nothing is left behind however the process ends. */
export interface TempFile {
  /** Bytes written so far. */
  readonly size: number
  /** Resolves once the file is closed, and its bytes are free again. Never rejects. */
  readonly closed: Promise<void>
  write(bytes: Uint8Array): Promise<void>
  /** The whole content; the file is gone when it is read to its end, or closed. */
  read(): Chunks
  discard(): Promise<void>
}

/** Names of temporary files, for the moment in which they have one. */
export const TEMP_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Opens an unnamed file in the folder. Throws `no_space` when the disk, or the quota of the process, is full, else
 * `output_failed`, as does every write that is refused.
 */
export async function openTempFile(folder: string): Promise<TempFile> {
  const path = join(folder, randomUUID())
  let size = 0
  const handle = await open(path, 'wx+', 0o600).catch(refused)
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  let isClosing = false
  function close(): Promise<void> {
    // A descriptor whose close fails is gone all the same.
    if (!isClosing) handle.close().then(resolve, () => resolve())
    isClosing = true
    return closed
  }
  await unlink(path).catch(async (error) => {
    // Another service that starts over the same folder may have swept it.
    if (error.code === 'ENOENT') return
    await close()
    refused(error)
  })
  return {
    get size() {
      return size
    },
    closed,
    async write(bytes) {
      size += await writeAll(handle, bytes).catch(refused)
    },
    read: () => contentOf(handle, close),
    discard: close,
  }
}

/** Bytes of a file that are read at once. */
const READ_BYTES = 256 << 10

function contentOf(handle: FileHandle, close: () => Promise<void>): Chunks {
  let at = 0
  return {
    async next() {
      const chunk = Buffer.allocUnsafeSlow(READ_BYTES)
      const { bytesRead } = await handle.read(chunk, 0, READ_BYTES, at)
      at += bytesRead
      if (bytesRead > 0) return chunk.subarray(0, bytesRead)
      void close()
      return null
    },
    close,
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<number> {
  let done = 0
  while (done < bytes.byteLength) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done)
    done += bytesWritten
  }
  return done
}

function refused(error: NodeJS.ErrnoException): never {
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT'
  throw new ServiceError(
    isFull ? 'no_space' : 'output_failed',
    isFull
      ? 'The disk of the temporary files is full; try again later, or leave `output` out for an Arrow stream, which needs no file.'
      : `The result could not be written to the temporary folder: ${error.code ?? error.message}.`,
    { cause: error },
  )
}
