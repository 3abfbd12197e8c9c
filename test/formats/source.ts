import { statSync } from 'node:fs'
import { ServiceError } from '../../src/plan/errors.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { type FileStore, NO_FOLDERS } from '../../src/workers/store/store.ts'

/** A file as a plan would name it. */
export function fileRef(location: string): FileRef {
  const stat = statSync(location, { bigint: true })
  const version = {
    device: stat.dev,
    inode: stat.ino,
    size: stat.size,
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
  }
  return { path: location.split('/').at(-1) ?? location, location, version }
}

/** Numbers of files in memory, by their bytes. */
const inodes = new WeakMap<Uint8Array, bigint>()
let files = 0n

function inodeOf(bytes: Uint8Array): bigint {
  const inode = inodes.get(bytes) ?? ++files
  inodes.set(bytes, inode)
  return inode
}

/** A store of one file whose bytes lie in memory and never change. */
export function memorySource(
  bytes: Uint8Array,
  path = 'memory',
): FileStore & { readonly reads: number[]; close(): void } {
  let isClosed = false
  const version = { device: 0n, inode: inodeOf(bytes), size: BigInt(bytes.length), mtimeNs: 0n, ctimeNs: 0n }
  const reads: number[] = []
  const read = (offset: number, length: number): Uint8Array => {
    if (isClosed) throw new Error('read after close')
    if (offset < 0 || length < 0 || length > bytes.length - offset)
      throw new ServiceError('unreadable_file', `"${path}" has no ${length} bytes at ${offset}`)
    reads.push(length)
    return Uint8Array.from(bytes.subarray(offset, offset + length))
  }
  const store = {
    file: { path, location: path, version },
    version,
    size: bytes.length,
    reads,
    close() {
      isClosed = true
    },
    open: (key: string) => (key === '' ? store : null),
    read,
    readInto: (offset: number, target: Uint8Array) => target.set(read(offset, target.length)),
    release() {},
    foldersIn: () => NO_FOLDERS,
    isStill: () => false,
    objects: () => [],
    verify() {},
    [Symbol.dispose]() {},
  }
  return store
}
