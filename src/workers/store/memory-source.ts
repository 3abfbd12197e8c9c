import type { FileRef } from '../../plan/source/file.ts'
import type { ByteSource } from './byte-source.ts'

/** Bytes that lie in memory as a file that never changes. Reads copy nothing. */
export function memorySource(bytes: Uint8Array, file: FileRef): ByteSource {
  const read = (offset: number, length: number): Uint8Array => {
    if (!(offset >= 0 && length >= 0 && length <= bytes.length - offset))
      throw new RangeError(`no range of ${bytes.length} bytes: ${offset}, ${length}`)
    return bytes.subarray(offset, offset + length)
  }
  return {
    file,
    size: bytes.length,
    read,
    readInto: (offset, target) => target.set(read(offset, target.length)),
    release() {},
    verify() {},
  }
}
