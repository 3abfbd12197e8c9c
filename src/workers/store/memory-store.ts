import type { FileRef } from '../../plan/source/file.ts'
import { type FileStore, NO_FOLDERS, NO_OBJECTS } from './store.ts'

/** A store of a file whose bytes lie in memory and never change. Reads return views, not copies. */
export function memoryStore(bytes: Uint8Array, file: FileRef): FileStore {
  const read = (offset: number, length: number): Uint8Array => {
    if (!(offset >= 0 && length >= 0 && length <= bytes.length - offset))
      throw new RangeError(`no range of ${bytes.length} bytes: ${offset}, ${length}`)
    return bytes.subarray(offset, offset + length)
  }
  const store: FileStore = {
    file,
    version: file.version,
    size: bytes.length,
    open: (key) => (key === '' ? store : null),
    read,
    readInto: (offset, target) => target.set(read(offset, target.length)),
    release() {},
    foldersIn: () => NO_FOLDERS,
    isStill: () => false,
    objects: () => NO_OBJECTS,
    verify() {},
    [Symbol.dispose]() {},
  }
  return store
}
