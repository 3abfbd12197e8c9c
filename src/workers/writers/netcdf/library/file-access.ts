import { fstatSync, ftruncateSync } from 'node:fs'
import type { LibraryFiles, LibraryStream } from '../../../formats/hdf5/library/module.ts'
import {
  EIO,
  ENOENT,
  failIn,
  replaceFiles,
  seek,
  statsOf,
} from '../../../formats/hdf5/library/replace-files.ts'
import { readAt, writeAt } from '../../descriptor-io.ts'

/** The name by which the library opens the one file that it may open. */
export const WRITTEN_FILE = '/written'

/** `O_TRUNC` of the library's C library. */
const TRUNCATES = 0o1000

/** `S_IFREG` with rights to read and write. */
const REGULAR_FILE = 0o100_666

/** Characters that are kept of what the library prints. */
const MAX_PRINTED = 16_384

/** What an instance of the library may reach: one file, by its descriptor. */
export interface FileAccess {
  /** Lets the library open a file, which is empty. It can reach nothing else. */
  admit(descriptor: number): void
  /** The bytes of the file. */
  readonly bytes: number
  /** The first error of a system call since `admit`. Null: there was none. The library may not have told its caller. */
  error(): unknown
  /** How often the library has printed. It prints each call that fails, also where the caller is not told. */
  prints(): number
  /** The last that the library has printed. */
  printed(): string
}

/** Replaces the functions by which an instance of the library reaches the file system. */
export function createFileAccess(files: LibraryFiles): FileAccess {
  let descriptor: number | null = null
  let stream: LibraryStream | null = null
  let bytes = 0
  let error: unknown = null
  let prints = 0
  let printed = ''

  const fail = (errno: number): never => failIn(files, errno)
  const descriptorOf = ({ fd }: LibraryStream): number =>
    descriptor !== null && fd === stream?.fd ? descriptor : fail(EIO)

  /** A system call, whose error is kept. */
  function attempt<T>(call: () => T): T {
    try {
      return call()
    } catch (cause) {
      error ??= cause
      return fail(EIO)
    }
  }

  function truncate(length: number): void {
    const to = descriptor ?? fail(EIO)
    attempt(() => ftruncateSync(to, length))
    bytes = length
  }

  function print(heap: Int8Array, at: number, length: number): number {
    prints++
    printed = (printed + bytesOf(heap, at, length).toString('latin1')).slice(-MAX_PRINTED)
    return length
  }

  const statsAt = (path: string): object =>
    path === WRITTEN_FILE ? statsOf(bytes, REGULAR_FILE) : fail(ENOENT)

  const working = {
    open(path: string, flags: number | string) {
      if (descriptor === null || stream !== null || path !== WRITTEN_FILE) return fail(ENOENT)
      stream = files.createStream({
        path,
        flags: 2,
        seekable: true,
        shared: { position: 0 },
        node: { mode: REGULAR_FILE },
      })
      if (bytes > 0 && typeof flags === 'number' && (flags & TRUNCATES) !== 0) truncate(0)
      return stream
    },
    read(of: LibraryStream, heap: Int8Array, at: number, length: number, position?: number) {
      const from = descriptorOf(of)
      const done = attempt(() => readAt(from, bytesOf(heap, at, length), position ?? of.position))
      if (position === undefined) of.position += done
      return done
    },
    write(of: LibraryStream, heap: Int8Array, at: number, length: number, position?: number) {
      if (of.fd !== stream?.fd) return print(heap, at, length)
      const to = descriptorOf(of)
      const start = position ?? of.position
      attempt(() => writeAt(to, bytesOf(heap, at, length), start))
      if (position === undefined) of.position += length
      bytes = Math.max(bytes, start + length)
      return length
    },
    ftruncate(fd: number, length: number) {
      if (fd !== stream?.fd) fail(EIO)
      truncate(length)
    },
    fstat: (fd: number) => (fd === stream?.fd ? statsOf(bytes, REGULAR_FILE) : fail(EIO)),
    lstat: statsAt,
    stat: statsAt,
    llseek: (of: LibraryStream, offset: number, whence: number) => seek(files, of, offset, whence, bytes),
    close(of: LibraryStream) {
      files.closeStream(of.fd)
      if (of.fd === stream?.fd) stream = null
    },
  }
  replaceFiles(files, working)

  return {
    admit(number) {
      descriptor = number
      bytes = fstatSync(number).size
      error = null
      printed = ''
    },
    get bytes() {
      return bytes
    },
    error: () => error,
    prints: () => prints,
    printed: () => printed,
  }
}

function bytesOf(heap: Int8Array, at: number, length: number): Buffer {
  return Buffer.from(heap.buffer, heap.byteOffset + at, length)
}
