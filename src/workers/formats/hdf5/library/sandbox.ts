import type { LibraryFiles, LibraryStream } from './module.ts'
import { PLUGIN_FOLDER, readPlugin } from './plugins.ts'
import { EIO, ENOENT, failIn, replaceFiles, seek, statsOf } from './replace-files.ts'

/** The name by which the library opens the one file that it may open. */
export const PLANNED_FILE = '/planned'

/** Characters that are kept of what the library prints. */
const MAX_PRINTED = 16_384

/** The innermost entry of the first stack of errors: the last one before the next stack or the end. */
const FIRST_CAUSE =
  /^HDF5-DIAG[^\n]*\n(?:(?!HDF5-DIAG)[^\n]*\n)*?\s*#\d+: [^\n]*\(\): ([^\n]*)\n\s*major[^\n]*\n\s*minor[^\n]*\n(?!\s*#)/

/** `S_IFREG` and `S_IFDIR` with rights to read. */
const REGULAR_FILE = 0o100_444
const FOLDER = 0o40_555

/** What the library may read. */
export interface Sandbox {
  /** Lets the library open a file of these bytes, once. It can reach nothing else. */
  admit(file: Uint8Array): void
  /** The cause of the first call that has failed since `admit`, as the library prints it. Null: it has printed none. */
  cause(): string | null
  /** Ends what `admit` has begun. Returns whether the library has closed the file. */
  revoke(): boolean
}

/**
 * Replaces the functions by which an instance of the library reaches the file system. A file may name others: external storage,
 * external links, the sources of virtual datasets, plugins. None of them is opened, except `plugins`, which are files of a package.
 */
export function createSandbox(files: LibraryFiles, plugins: readonly string[]): Sandbox {
  let admitted: Uint8Array | null = null
  let opened: number | null = null
  let printed = ''

  const fail = (errno: number): never => failIn(files, errno)
  const fileOf = (descriptor: number): Uint8Array =>
    admitted !== null && descriptor === opened ? admitted : fail(EIO)

  function streamOf(path: string, mode: number): LibraryStream {
    return files.createStream({ path, flags: 0, seekable: true, shared: { position: 0 }, node: { mode } })
  }

  function pluginAt(path: string): Uint8Array {
    const name = plugins.find((each) => path === `${PLUGIN_FOLDER}/${each}`)
    return name === undefined ? fail(ENOENT) : readPlugin(name)
  }

  function read(
    stream: LibraryStream,
    heap: Int8Array,
    at: number,
    length: number,
    position?: number,
  ): number {
    const from = position ?? stream.position
    const bytes = fileOf(stream.fd).subarray(from, from + length)
    heap.set(bytes, at)
    if (position === undefined) stream.position += bytes.length
    return bytes.length
  }

  const working = {
    open(path: string) {
      if (path === PLUGIN_FOLDER && plugins.length > 0) return streamOf(path, FOLDER)
      if (admitted === null || opened !== null || path !== PLANNED_FILE) return fail(ENOENT)
      const stream = streamOf(path, REGULAR_FILE)
      opened = stream.fd
      return stream
    },
    read,
    fstat: (descriptor: number) => statsOf(fileOf(descriptor).length, REGULAR_FILE),
    /** The library asks whether the name is a link. */
    lstat: (path: string) =>
      admitted !== null && path === PLANNED_FILE ? statsOf(admitted.length, REGULAR_FILE) : fail(ENOENT),
    llseek: (stream: LibraryStream, offset: number, whence: number) =>
      seek(files, stream, offset, whence, stream.fd === opened ? fileOf(stream.fd).length : 0),
    close(stream: LibraryStream) {
      files.closeStream(stream.fd)
      if (stream.fd === opened) opened = null
    },
    /** The library prints the errors of calls that fail. */
    write(_stream: unknown, heap: Int8Array, at: number, length: number) {
      const shownLength = Math.min(length, MAX_PRINTED - printed.length)
      if (shownLength > 0)
        printed += Buffer.from(heap.buffer, heap.byteOffset + at, shownLength).toString('latin1')
      return length
    },
    // What loading a plugin calls, beside `open` and `close` of the folder: it is listed, and each file in it is read.
    readdir: (path: string) => (path === PLUGIN_FOLDER ? [...plugins] : fail(ENOENT)),
    lookupNode: () => ({ id: 1, mode: REGULAR_FILE }),
    stat: (path: string) => statsOf(pluginAt(path).length, REGULAR_FILE),
    lookupPath: (path: string) => ({ path, node: { mode: REGULAR_FILE, size: pluginAt(path).length } }),
    readFile: (path: string) => pluginAt(path),
  }
  replaceFiles(files, working)

  return {
    admit(file) {
      admitted = file
      printed = ''
    },
    cause: () => FIRST_CAUSE.exec(printed)?.[1]?.replace(/\.$/, '') ?? null,
    revoke() {
      admitted = null
      return opened === null
    },
  }
}
