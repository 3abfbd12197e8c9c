import { lastAtMost } from '../../plan/binary-search.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { type FileStore, NO_FOLDERS, NO_OBJECTS } from './store.ts'

/** A store of a file whose bytes lie in memory and never change. Reads return views, not copies. */
export function memoryStore(bytes: Uint8Array, file: FileRef): FileStore {
  return storeOf(bytes.length, (offset, length) => bytes.subarray(offset, offset + length), file)
}

/** A store of a file that lies in several buffers, one behind the other. A read across buffers returns a copy, others return views. */
export function buffersStore(buffers: readonly Uint8Array[], file: FileRef): FileStore {
  const starts: number[] = []
  let size = 0
  for (const { length } of buffers) {
    starts.push(size)
    size += length
  }

  function read(offset: number, length: number): Uint8Array {
    const first = lastAtMost(buffers.length, (index) => starts[index] ?? 0, offset)
    const from = offset - (starts[first] ?? 0)
    const buffer = buffers[first]
    if (buffer !== undefined && from + length <= buffer.length) return buffer.subarray(from, from + length)
    const copy = new Uint8Array(length)
    for (let index = first, done = 0; done < length; index++) {
      const start = done === 0 ? from : 0
      const part = buffers[index]?.subarray(start, start + length - done) ?? NOTHING
      copy.set(part, done)
      done += part.length
    }
    return copy
  }
  return storeOf(size, read, file)
}

const NOTHING = new Uint8Array(0)

function storeOf(
  size: number,
  within: (offset: number, length: number) => Uint8Array,
  file: FileRef,
): FileStore {
  const read = (offset: number, length: number): Uint8Array => {
    if (!(offset >= 0 && length >= 0 && length <= size - offset))
      throw new RangeError(`no range of ${size} bytes: ${offset}, ${length}`)
    return within(offset, length)
  }
  const store: FileStore = {
    file,
    version: file.version,
    size,
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
