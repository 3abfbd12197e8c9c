import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { ServiceError } from '../../plan/errors.ts'
import { sameVersion, versionKey, versionOf } from '../../plan/source/version.ts'
import { cannotOpen, isMissing } from '../datasets/file-errors.ts'
import { locate } from '../datasets/find/locate.ts'
import { NO_FINGERPRINT } from '../datasets/fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../datasets/root.ts'
import type { Chunks } from '../output/body.ts'
import type { FileCalls } from './file-calls.ts'
import { fileNotFound } from './write-failure.ts'

/** One version of a file of the dataset root, opened. It must be read or closed. */
export interface Download {
  readonly size: number
  /** A tag of the version, without quotes. */
  readonly tag: string
  /**
   * The bytes from `first` to `last`, both included, after which it is closed. Fails with `file_changed` before the last of them if
   * the file was written to meanwhile. One that was replaced or deleted is read to its end.
   */
  read(first: number, last: number): Chunks
  close(): Promise<void>
}

/** If the file's place was taken by a link, `open` does not follow it; if by a pipe, `open` does not wait for a writer. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The most bytes of one read. */
const READ_BYTES = 512 << 10

/** Rejects with `file_not_found`, `invalid_path` for what is no regular file, and `unreadable_file`. */
export async function openDownload(
  root: DatasetRoot,
  names: readonly string[],
  calls: FileCalls,
): Promise<Download> {
  const path = names.join('/')
  const located = await locate(root, names, NO_FINGERPRINT)
  if (located === null) throw fileNotFound(path)
  if (!located.stats.isFile()) throw noFile(path, located.stats.isDirectory())
  const { location } = located
  try {
    const handle = await calls.run(location, () => open(location, OPEN_FLAGS))
    return await downloadOf(path, handle, calls).catch(async (error) => {
      await handle.close()
      throw error
    })
  } catch (error) {
    if (isMissing(error)) throw fileNotFound(path)
    throw cannotOpen(path, error)
  }
}

async function downloadOf(path: string, handle: FileHandle, { run }: FileCalls): Promise<Download> {
  const lane = `read ${handle.fd}`
  const statNow = () => run(lane, () => handle.stat({ bigint: true }))
  const stats = await statNow()
  if (!stats.isFile()) throw noFile(path, stats.isDirectory())
  const version = versionOf(stats)
  let closed: Promise<void> | null = null
  const close = (): Promise<void> => {
    closed ??= handle.close().catch(() => {})
    return closed
  }

  async function requireUnchanged(): Promise<void> {
    // A file that is replaced or deleted loses a name, which changes its ctime alone.
    const now = await statNow()
    const isSame =
      now.nlink < stats.nlink ? now.mtimeNs === version.mtimeNs : sameVersion(versionOf(now), version)
    if (!isSame) throw new ServiceError('file_changed', `${path} was written to while it was sent.`)
  }

  return {
    size: Number(stats.size),
    tag: hash('sha256', versionKey(version)).slice(0, 32),
    read(first, last) {
      let at = first
      return {
        async next() {
          const length = Math.min(READ_BYTES, last + 1 - at)
          if (length <= 0) {
            await close()
            return null
          }
          const bytes = Buffer.allocUnsafeSlow(length)
          const { bytesRead } = await run(lane, () => handle.read(bytes, 0, length, at))
          at += bytesRead
          if (bytesRead === 0 || at > last) await requireUnchanged()
          // Less than was promised: the client sees it.
          if (bytesRead === 0) throw new ServiceError('file_changed', `${path} was cut while it was sent.`)
          return bytes.subarray(0, bytesRead)
        },
        close: () => void close(),
      }
    },
    close,
  }
}

function noFile(path: string, isFolder: boolean): ServiceError {
  return new ServiceError(
    'invalid_path',
    isFolder ? `${path} is a folder; name a file in it.` : `${path} is no regular file.`,
  )
}
