import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../plan/errors.ts'
import type { Chunks } from './body.ts'

/** A result being written: it has no name any more, so nothing is left behind however the process ends. */
export interface TempFile {
  /** Bytes written so far. */
  readonly size: number
  write(bytes: Uint8Array): Promise<void>
  /** The whole content; the file is gone when it is read to its end, or closed. */
  read(): Chunks
  discard(): Promise<void>
}

/** Opens an unnamed file in the folder. Throws `output_failed`, as does every write that the disk refuses. */
export async function openTempFile(folder: string): Promise<TempFile> {
  const path = join(folder, randomUUID())
  let size = 0
  const handle = await open(path, 'wx+', 0o600).catch(refused)
  await unlink(path).catch(refused)
  return {
    get size() {
      return size
    },
    async write(bytes) {
      size += await writeAll(handle, bytes).catch(refused)
    },
    read: () => contentOf(handle),
    discard: () => handle.close(),
  }
}

/** Bytes of a file that are read at once. */
const READ_BYTES = 256 << 10

function contentOf(handle: FileHandle): Chunks {
  let at = 0
  const close = (): void => {
    // It may be closed already.
    handle.close().catch(() => {})
  }
  return {
    async next() {
      const chunk = Buffer.allocUnsafeSlow(READ_BYTES)
      const { bytesRead } = await handle.read(chunk, 0, READ_BYTES, at)
      at += bytesRead
      if (bytesRead > 0) return chunk.subarray(0, bytesRead)
      close()
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
  const why = error.code === 'ENOSPC' ? 'the disk is full' : (error.code ?? error.message)
  throw new ServiceError(
    'output_failed',
    `The result could not be written to the temporary folder: ${why}.`,
    {
      cause: error,
    },
  )
}
