import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { FileRef } from '../../plan/source/file.ts'
import { changed, failureOf, READ_FLAGS, requireStats } from './planned.ts'
import type { Stopwatch } from './stopwatch.ts'
import type { OpenStore } from './store.ts'

/**
 * Reads all of a small file into memory, from `at` on, and checks that it is the version that was planned. Throws `file_changed` and
 * `unreadable_file`.
 */
export type ReadSmall = (file: FileRef, memory: Uint8Array, at: number, stopwatch: Stopwatch) => void

const WITH_BIGINTS = Object.freeze({ bigint: true })

/** Reads files of this machine, each by one open, read, fstat and close. It is called for each of thousands of files, so it makes no closures. */
export const readSmallFile: ReadSmall = ({ path, location, version }, memory, at, stopwatch) => {
  const size = Number(version.size)
  let descriptor = NOT_OPEN
  try {
    descriptor = openSync(location, READ_FLAGS)
    let read = 0
    try {
      read = readFully(descriptor, memory, at, size)
    } finally {
      // What is no regular file any more, or has become shorter, is another version. So this is the error, whatever reading it gave.
      requireStats(path, version, fstatSync(descriptor, WITH_BIGINTS))
    }
    if (read < size) throw changed(path)
  } catch (cause) {
    throw failureOf(path, cause)
  } finally {
    if (descriptor !== NOT_OPEN) closeSync(descriptor)
  }
  stopwatch.addBytesRead(size)
}

const NOT_OPEN = -1

/** The number of bytes that were read: less than `size` if the file has no more. */
function readFully(descriptor: number, memory: Uint8Array, at: number, size: number): number {
  let done = 0
  while (done < size) {
    const read = readSync(descriptor, memory, at + done, size - done, done)
    if (read === 0) break
    done += read
  }
  return done
}

/** Reads files through the stores that are opened of them. */
export function readSmallThrough(openStore: OpenStore): ReadSmall {
  return (file, memory, at, stopwatch) => {
    using store = openStore(file, stopwatch)
    const target = memory.subarray(at, at + Number(file.version.size))
    if (store.hold === undefined) throw new TypeError(`"${file.path}" is no small file`)
    store.hold(target)
  }
}
