import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../plan/errors.ts'
import type { Chunks } from './body.ts'

/** A temporary file without a name, so that nothing is left of it however the process ends. */
export interface TempFile {
  /** Bytes written so far. */
  readonly size: number
  /** Resolves when the file is closed and its space is free again. Never rejects. */
  readonly closed: Promise<void>
  write(bytes: Uint8Array): Promise<void>
  /** What has been written so far. The file is closed when it has been read to its end, or when the chunks are closed. */
  read(): Chunks
  discard(): Promise<void>
}

/** The names of temporary files. They have one only between their creation and its removal. */
export const TEMP_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Opens a file without a name in the folder. Rejects, as does each write that fails, with `no_space` when the disk or the
 * user's quota is full, and with `output_failed` otherwise.
 */
export async function openTempFile(folder: string): Promise<TempFile> {
  const path = join(folder, randomUUID())
  let size = 0
  const handle = await open(path, 'wx+', 0o600).catch(refused)
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  let isClosing = false
  function close(): Promise<void> {
    // The descriptor is gone even if closing it fails.
    if (!isClosing) handle.close().then(resolve, () => resolve())
    isClosing = true
    return closed
  }
  await unlink(path).catch(async (error) => {
    // Another service that starts over the same folder may have deleted it (`sweepTempFolder`).
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
    read: () => contentOf(handle, size, close),
    discard: close,
  }
}

/** The most bytes of one read. */
const READ_BYTES = 256 << 10

/** The first `size` bytes. A write that has failed may have left more. */
function contentOf(handle: FileHandle, size: number, close: () => Promise<void>): Chunks {
  let at = 0
  return {
    async next() {
      const length = Math.min(READ_BYTES, size - at)
      const chunk = Buffer.allocUnsafeSlow(length)
      const { bytesRead } = length > 0 ? await handle.read(chunk, 0, length, at) : { bytesRead: 0 }
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
