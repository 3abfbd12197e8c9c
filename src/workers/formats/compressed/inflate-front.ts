import { MOST_PLAIN_IN_MEMORY } from '../../../plan/limits.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import type { Compression } from '../../../plan/source/plain-bytes.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { memoryStore } from '../../store/memory-store.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import { locateErrors } from '../error-location.ts'
import { createInflater } from './create-inflater.ts'
import type { Inflater, ReadNext } from './inflater.ts'

/** The first bytes that a compressed file inflates to. */
export interface Front {
  /** All of them. Null: there are more than `MOST_PLAIN_IN_MEMORY`. */
  readonly whole: Uint8Array | null
  /**
   * Runs work that reads the first bytes only, of a store whose file has no known end. If the file ends before as many as the work reads, it runs
   * again with one that ends there. Null: it reads more than `MOST_FRONT_BYTES`.
   */
  read<T>(work: (store: Store, isEndKnown: boolean) => T): T | null
}

/** The bytes that are inflated first. There may be many small files. */
const FIRST_FRONT_BYTES = 64 << 10

/** The most bytes that are inflated to find a schema. */
const MOST_FRONT_BYTES = 32 << 20

/** Thrown by a read of a front behind the end of the file, and by one of too many bytes. */
const BEHIND_END = new Error('the file ends before')
const TOO_FAR = new Error('too much of the file is read')

/** Inflates the first bytes of a compressed file. Throws `unreadable_file` if they are damaged. */
export function inflateFront(store: Store, compression: Compression, checkCancelled: () => void): Front {
  const inflater = createInflater(compression, readsOf(onlyObject(store), checkCancelled))
  let bytes = new Uint8Array(FIRST_FRONT_BYTES)
  let filled = 0
  let hasEnded = false

  /** Inflates up to this byte, unless the file ends before. */
  function advance(to: number): void {
    if (to <= filled || hasEnded) return
    if (to > MOST_FRONT_BYTES) throw TOO_FAR
    if (to > bytes.length) {
      const more = new Uint8Array(Math.min(MOST_FRONT_BYTES, Math.max(to, 2 * bytes.length)))
      more.set(bytes.subarray(0, filled))
      bytes = more
    }
    const rest = bytes.subarray(filled)
    const count = fillFrom(store, compression, inflater, rest)
    filled += count
    hasEnded = count < rest.length
  }

  while (!hasEnded && filled <= MOST_PLAIN_IN_MEMORY) advance(filled + 1)

  const front = sourceOf(store, (offset, length) => {
    advance(offset + length)
    if (offset + length > filled) throw BEHIND_END
    return bytes.subarray(offset, offset + length)
  })

  return {
    whole: hasEnded && filled <= MOST_PLAIN_IN_MEMORY ? bytes.subarray(0, filled) : null,
    read(work) {
      try {
        return work(storeOf(store, front), false)
      } catch (error) {
        if (error === TOO_FAR) return null
        if (error !== BEHIND_END) throw error
      }
      return work(plainStore(store, store.file, bytes.subarray(0, filled)), true)
    },
  }
}

/** All bytes of a file that inflates to `size` of them, which are few. */
export function inflateWhole(
  store: Store,
  compression: Compression,
  size: number,
  checkCancelled: () => void,
): Uint8Array {
  const inflater = createInflater(compression, readsOf(onlyObject(store), checkCancelled))
  const bytes = new Uint8Array(size + 1)
  const count = fillFrom(store, compression, inflater, bytes)
  if (count !== size)
    throw new RangeError(`"${store.file.path}" inflates to ${count} bytes, and did to ${size}`)
  return bytes.subarray(0, size)
}

/** Reads an object to its end, from a position that moves on. */
export function readsOf(
  source: ByteSource,
  checkCancelled: () => void,
  position: { at: number } = { at: 0 },
): ReadNext {
  return (target) => {
    checkCancelled()
    const count = Math.min(target.length, source.size - position.at)
    source.readInto(position.at, target.subarray(0, count))
    position.at += count
    return count
  }
}

/** Fills `target` with inflated bytes. An error names the file. */
export function fillFrom(
  store: Store,
  compression: Compression,
  inflater: Inflater,
  target: Uint8Array,
): number {
  return locateErrors(`"${store.file.path}" cannot be inflated (${compression})`, () => inflater.fill(target))
}

/** A store of a compressed file that has these inflated bytes. It is the same version as long as the file is. */
export function plainStore(store: Store, file: FileRef, bytes: Uint8Array): Store {
  return storeOf(store, memoryStore(bytes, file))
}

/** A store that has other bytes than `store`, and is otherwise the same. */
export function storeOf(store: Store, source: ByteSource & Partial<Pick<Store, 'file'>>): Store {
  const { file = store.file } = source
  return {
    file,
    isInflated: true,
    open: (key) => (key === '' ? source : null),
    foldersIn: store.foldersIn,
    isStill: store.isStill,
    verify: store.verify,
    objects: store.objects,
    [Symbol.dispose]: store[Symbol.dispose],
  }
}

/** An object without an end, whose bytes `within` makes when they are read. */
function sourceOf({ file }: Store, within: (offset: number, length: number) => Uint8Array): ByteSource {
  return {
    version: file.version,
    size: Number.MAX_SAFE_INTEGER,
    read: (offset, length) => within(offset, length).slice(),
    readInto: (offset, target) => target.set(within(offset, target.length)),
    release() {},
  }
}
