import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { SMALL_FILE_BYTES } from '../../plan/limits.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { attempt, READ_FLAGS, requireContent, requireVersion } from './planned.ts'
import { rangeReads } from './range-reads.ts'
import type { Stopwatch } from './stopwatch.ts'
import { type FileStore, NO_FOLDERS, NO_OBJECTS } from './store.ts'
import { wholeReads } from './whole-reads.ts'

/**
 * The store of a single file. The file is opened when it is first read, and all of a small one is read then. If it has not been, `verify` stats its path, so a
 * unit whose columns are all cached costs one `stat`. Reads throw `file_changed` if the file is not the version that was
 * planned, is no regular file any more, or is gone when it is opened; and `unreadable_file` if the system refuses to open or read it. A file that is
 * replaced or removed while it is open is read to its end.
 */
export function openFileStore(file: FileRef, stopwatch: Stopwatch): FileStore {
  const { path, location, version } = file
  const size = Number(version.size)
  let opened: number | null = null
  const reads = rangeReads(path, size, stopwatch, (work) => {
    opened ??= openPlanned(file)
    work(opened)
  })
  const whole = size <= SMALL_FILE_BYTES ? wholeReads(size, reads) : null
  const { read, readInto, release } = whole ?? reads
  const store: FileStore = {
    file,
    version,
    size,
    open: (key) => (key === '' ? store : null),
    read,
    readInto,
    release,
    ...(whole && { view: whole.view }),
    foldersIn: () => NO_FOLDERS,
    isStill: () => false,
    objects: () => NO_OBJECTS,
    ...(whole && {
      hold(memory: Uint8Array) {
        whole.hold(memory)
        store.verify()
        close()
      },
      adopt: whole.adopt,
    }),
    verify() {
      const descriptor = opened
      if (descriptor === null) requireVersion(path, version, () => statSync(location, { bigint: true }))
      else requireContent(path, version, () => fstatSync(descriptor, { bigint: true }))
    },
    [Symbol.dispose]() {
      whole?.end()
      close()
    },
  }
  function close(): void {
    if (opened !== null) closeSync(opened)
    opened = null
  }
  return store
}

function openPlanned({ path, location, version }: FileRef): number {
  const descriptor = attempt(path, () => openSync(location, READ_FLAGS))
  try {
    requireVersion(path, version, () => fstatSync(descriptor, { bigint: true }))
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}
