import { fault } from '../../fault.ts'
import type { ChunkDecoder } from './chunk-decoder.ts'

/** Throws `unreadable_file` if as many bytes cannot be those of elements of at most `mostBytes` bytes. */
export function requireStoredSize(length: number, decoder: ChunkDecoder, mostBytes: number): void {
  const { bytes, isExact } = decoder.storedSize(mostBytes)
  if (isExact && length !== bytes) throw fault(`it has ${length} bytes and not ${bytes}`)
  if (length > bytes) throw fault(`it has ${length} bytes, more than its codecs make of ${mostBytes}`)
}
