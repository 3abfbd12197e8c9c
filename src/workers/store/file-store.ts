import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { sameVersion, versionOf } from '../../plan/source/version.ts'
import { discard } from './discard.ts'
import type { Stopwatch } from './stopwatch.ts'
import type { FileStore } from './store.ts'

/** A single call of `read(2)` returns at most 0x7ffff000 bytes on Linux. */
const MAX_READ = 1 << 30

/** The bytes of a file of this machine under an open descriptor. */
interface OpenedFile extends Pick<FileStore, 'read' | 'readInto' | 'verify'>, Disposable {}

/**
 * The store of one file. It is opened when it is first read; until then `verify` looks at what its path leads to, so a unit
 * whose columns are all kept costs one look. Errors of reads: `file_changed` when the file is another version than was
 * planned, is no file any more, or is gone; `unreadable_file` when the system refuses to open or read it.
 */
export function openFileStore(file: FileRef, stopwatch: Stopwatch): FileStore {
  let opened: OpenedFile | null = null
  const bytes = (): OpenedFile => {
    opened ??= openFile(file, stopwatch)
    return opened
  }
  const store: FileStore = {
    file,
    version: file.version,
    size: Number(file.version.size),
    open: (key) => (key === '' ? store : null),
    read: (offset, length) => bytes().read(offset, length),
    readInto: (offset, target) => bytes().readInto(offset, target),
    release: discard,
    verify() {
      if (opened !== null) opened.verify()
      else requireVersion(file, () => statSync(file.location, { bigint: true }))
    },
    [Symbol.dispose]: () => opened?.[Symbol.dispose](),
  }
  return store
}

function openFile(file: FileRef, stopwatch: Stopwatch): OpenedFile {
  // Not blocking: a FIFO put in the file's place must not hold the worker.
  const descriptor = attempt(file, () =>
    openSync(file.location, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY),
  )
  const verify = (): void => requireVersion(file, () => fstatSync(descriptor, { bigint: true }))
  const size = Number(file.version.size)
  try {
    verify()
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  const check = (offset: number, length: number): void => {
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0)
      throw new RangeError(`no range of a file: ${offset}, ${length}`)
    if (length > size - offset)
      throw new ServiceError(
        'unreadable_file',
        `"${file.path}" is damaged: it refers to ${length} bytes at ${offset} but has ${size} bytes.`,
      )
  }
  const fill = (offset: number, target: Uint8Array): void => {
    const { length } = target
    for (let done = 0; done < length; ) {
      const step = Math.min(MAX_READ, length - done)
      const got = attempt(file, () => readSync(descriptor, target, done, step, offset + done))
      if (got === 0)
        throw new ServiceError(
          'file_changed',
          `"${file.path}" became shorter while it was being read; ask again.`,
        )
      done += got
    }
    stopwatch.addBytesRead(length)
  }
  return {
    read(offset, length) {
      check(offset, length)
      return stopwatch.time('read', () => {
        // Not zeroed first, and not a Buffer, whose views are dear.
        const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
        fill(offset, bytes)
        return bytes
      })
    },
    readInto(offset, target) {
      check(offset, target.length)
      stopwatch.time('read', () => fill(offset, target))
    },
    verify,
    [Symbol.dispose]: () => closeSync(descriptor),
  }
}

/** Throws `file_changed` unless the file, looked at now, is the version that was planned. */
function requireVersion(file: FileRef, look: () => BigIntStats): void {
  const stat = attempt(file, look)
  if (!stat.isFile()) throw new ServiceError('file_changed', `"${file.path}" is no longer a regular file.`)
  if (!sameVersion(versionOf(stat), file.version))
    throw new ServiceError(
      'file_changed',
      `"${file.path}" was changed while it was being queried; ask again.`,
    )
}

function attempt<T>(file: FileRef, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new ServiceError('file_changed', `"${file.path}" was removed while it was being queried.`, {
        cause,
      })
    throw new ServiceError('unreadable_file', `"${file.path}" cannot be read: ${code}.`, { cause })
  }
}
