import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { writeError } from '../../../plan/output/write-error.ts'
import { type FileVersion, versionOf } from '../../../plan/source/version.ts'
import type { Chunks } from '../body.ts'

/** A temporary file without a name, so that nothing is left of it however the process ends. */
export interface TempFile {
  /** Bytes written so far. */
  readonly size: number
  /** The number of its descriptor, by which workers open it too. */
  readonly descriptor: number
  /** Resolves when the file is closed and its space is free again. Never rejects. */
  readonly closed: Promise<void>
  write(bytes: Uint8Array): Promise<void>
  /** Counts the file as one of at least so many bytes, before others write them. Rejects as `write` does. */
  reserve(bytes: number): Promise<void>
  /** The version of the file on the disk, by which other threads know it. */
  version(): Promise<FileVersion>
  /** Takes over what others have written: its size is then that of the file on the disk. */
  measure(): Promise<void>
  /** Replaces bytes that have been written. Rejects as `write` does. */
  writeAt(bytes: Uint8Array, position: number): Promise<void>
  /** What has been written so far. The file is closed when it has been read to its end, or when the chunks are closed. */
  read(): Chunks
  /** Some of the bytes that have been written. Rejects with `output_failed` if they cannot be read. */
  readAt(position: number, length: number): Promise<ArrayBuffer>
  discard(): Promise<void>
}

/** The names of temporary files. They have one only between their creation and its removal. */
export const TEMP_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Opens a file without a name in the folder. Rejects, as does each write that fails, with `disk_full` when the disk or the
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
    descriptor: handle.fd,
    async reserve() {},
    version: async () => versionOf(await handle.stat({ bigint: true })),
    async measure() {
      size = (await handle.stat()).size
    },
    async write(bytes) {
      size += await writeAll(handle, bytes).catch(refused)
    },
    async writeAt(bytes, position) {
      await writeAll(handle, bytes, position).catch(refused)
    },
    read: () => contentOf(handle, size, close),
    readAt: (position, length) => readAll(handle, position, length).catch(refused),
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

/** Writes at a position, or behind what was written without one. Returns the bytes. */
async function writeAll(
  handle: FileHandle,
  bytes: Uint8Array,
  position: number | null = null,
): Promise<number> {
  let done = 0
  while (done < bytes.byteLength) {
    const at = position === null ? null : position + done
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, at)
    done += bytesWritten
  }
  return done
}

async function readAll(handle: FileHandle, position: number, length: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done)
    if (bytesRead === 0) throw new RangeError(`the file ends before byte ${position + length}`)
    done += bytesRead
  }
  return bytes.buffer
}

function refused(error: unknown): never {
  throw writeError(error)
}
