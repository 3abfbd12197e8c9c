import type { FileRef } from '../../../plan/source/file.ts'
import type { PlainBytes } from '../../../plan/source/plain-bytes.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { descriptorPath } from '../../store/descriptor-path.ts'
import { openFileStore } from '../../store/file-store.ts'
import type { Stopwatch } from '../../store/stopwatch.ts'
import type { OpenStore, Store } from '../../store/store.ts'
import { inflateWhole, storeOf } from './inflate-front.ts'

/** Opens the stores of compressed files with the bytes that they inflate to, and others as `openStore` does. */
export function withPlainStores(openStore: OpenStore): OpenStore {
  return (file, stopwatch) =>
    file.plain === undefined
      ? openStore(file, stopwatch)
      : openPlainStore(file, file.plain, openStore(file, stopwatch), stopwatch)
}

function openPlainStore(file: FileRef, plain: PlainBytes, stored: Store, stopwatch: Stopwatch): Store {
  const { temp } = plain
  if (temp === null) return storeOf(stored, inflatedWhenRead(stored, plain, stopwatch))
  // A thread has a descriptor of its own, so that it reads the file even after main has closed it. `version` tells whether it is the file.
  const inflated = openFileStore(
    { path: file.path, location: descriptorPath(temp.descriptor), version: temp.version },
    stopwatch,
  )
  return {
    ...storeOf(stored, inflated),
    file,
    verify() {
      stored.verify()
      inflated.verify()
    },
    [Symbol.dispose]() {
      inflated[Symbol.dispose]()
      stored[Symbol.dispose]()
    },
  }
}

/** The few bytes of a file, which are inflated when they are first read. */
function inflatedWhenRead(store: Store, { compression, size }: PlainBytes, stopwatch: Stopwatch): ByteSource {
  let bytes: Uint8Array | null = null
  const view = (offset: number, length: number): Uint8Array => {
    bytes ??= stopwatch.time('inflate', () => inflateWhole(store, compression, size, () => {}))
    if (!(offset >= 0 && length >= 0 && length <= size - offset))
      throw new RangeError(`no range of ${size} bytes: ${offset}, ${length}`)
    return bytes.subarray(offset, offset + length)
  }
  return {
    version: store.file.version,
    size,
    read: (offset, length) => view(offset, length).slice(),
    readInto: (offset, target) => target.set(view(offset, target.length)),
    release() {},
  }
}
