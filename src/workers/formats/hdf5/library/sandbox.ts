import type { ByteSource } from '../../../store/byte-source.ts'
import type { LibraryFiles, LibraryStream } from './module.ts'
import { PLUGIN_FOLDER, readPlugin } from './plugins.ts'

/** The name by which the library opens the one file that it may open. */
export const PLANNED_FILE = '/planned'

/** `errno` of WASI. */
const EIO = 29
const ENOENT = 44

/** Characters that are kept of what the library prints. */
const MAX_PRINTED = 16_384

/** The innermost entry of the first stack of errors: the last one before the next stack or the end. */
const FIRST_CAUSE =
  /^HDF5-DIAG[^\n]*\n(?:(?!HDF5-DIAG)[^\n]*\n)*?\s*#\d+: [^\n]*\(\): ([^\n]*)\n\s*major[^\n]*\n\s*minor[^\n]*\n(?!\s*#)/

/** `S_IFREG` and `S_IFDIR` with rights to read. */
const REGULAR_FILE = 0o100_444
const FOLDER = 0o40_555

/** The functions of the library's files that still work. All others fail. */
const KEPT = new Set(['createStream', 'closeStream', 'getStreamChecked', 'getStream', 'isClosed', 'nextfd'])

/** What the library may read. */
export interface Sandbox {
  /** Lets the library open a source, once. It can reach nothing else. `check` is called before each read, and may throw. */
  admit(source: ByteSource, check: () => void): void
  /** The cause of the first call that has failed since `admit`, as the library prints it. Null: it has printed none. */
  cause(): string | null
  /** Ends what `admit` has begun. Returns the error of `check` or of a read: the library has seen it as a failed call. */
  revoke(): { readonly error: unknown; readonly isClosed: boolean }
}

interface Admitted {
  readonly source: ByteSource
  readonly check: () => void
}

/**
 * Replaces the functions by which an instance of the library reaches the file system. A file may name others: external storage,
 * external links, the sources of virtual datasets, plugins. None of them is opened, except `plugins`, which are files of a package.
 */
export function createSandbox(files: LibraryFiles, plugins: readonly string[]): Sandbox {
  let admitted: Admitted | null = null
  let opened: number | null = null
  let error: unknown = null
  let printed = ''

  const fail = (errno: number): never => {
    throw new files.ErrnoError(errno)
  }
  const sourceOf = (descriptor: number): ByteSource =>
    admitted !== null && descriptor === opened ? admitted.source : fail(EIO)

  function streamOf(path: string, mode: number): LibraryStream {
    return files.createStream({ path, flags: 0, seekable: true, shared: { position: 0 }, node: { mode } })
  }

  function pluginAt(path: string): Uint8Array {
    const name = plugins.find((each) => path === `${PLUGIN_FOLDER}/${each}`)
    return name === undefined ? fail(ENOENT) : readPlugin(name)
  }

  function read(
    stream: { readonly fd: number; position: number },
    heap: Int8Array,
    at: number,
    length: number,
    position?: number,
  ): number {
    const source = sourceOf(stream.fd)
    const from = position ?? stream.position
    const size = Math.max(0, Math.min(length, source.size - from))
    try {
      admitted?.check()
      source.readInto(from, new Uint8Array(heap.buffer, heap.byteOffset + at, size))
    } catch (cause) {
      error ??= cause
      fail(EIO)
    }
    if (position === undefined) stream.position += size
    return size
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
    fstat: (descriptor: number) => statsOf(sourceOf(descriptor)),
    /** The library asks whether the name is a link. */
    lstat: (path: string) =>
      admitted !== null && path === PLANNED_FILE ? statsOf(admitted.source) : fail(ENOENT),
    llseek(stream: { readonly fd: number; position: number }, offset: number, whence: number) {
      const size = stream.fd === opened ? sourceOf(stream.fd).size : 0
      const position = offset + ([0, stream.position, size][whence] ?? Number.NaN)
      if (!(position >= 0)) fail(EIO)
      stream.position = position
      return position
    },
    close(stream: { readonly fd: number }) {
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
    stat: (path: string) => statsOf({ size: pluginAt(path).length }),
    lookupPath: (path: string) => ({ path, node: { mode: REGULAR_FILE, size: pluginAt(path).length } }),
    readFile: (path: string) => pluginAt(path),
  }
  for (const [name, member] of Object.entries(files))
    if (typeof member === 'function' && !KEPT.has(name) && !/^(?:is|ErrnoError|FSStream|FSNode)/.test(name))
      Object.assign(files, { [name]: () => fail(ENOENT) })
  Object.assign(files, working)

  return {
    admit(source, check) {
      admitted = { source, check }
      error = null
      printed = ''
    },
    cause: () => FIRST_CAUSE.exec(printed)?.[1]?.replace(/\.$/, '') ?? null,
    revoke() {
      const ended = { error, isClosed: opened === null }
      admitted = null
      error = null
      return ended
    },
  }
}

function statsOf({ size }: Pick<ByteSource, 'size'>): object {
  const time = new Date(0)
  const times = { atime: time, mtime: time, ctime: time }
  const owner = { nlink: 1, uid: 0, gid: 0, rdev: 0 }
  return { dev: 1, ino: 1, mode: REGULAR_FILE, ...owner, size, blksize: 4096, blocks: 0, ...times }
}
