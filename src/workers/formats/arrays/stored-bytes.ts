import type { ByteSource } from '../../store/byte-source.ts'
import { whenTrimmed } from '../../store/when-trimmed.ts'

/** Where bytes are in an object. */
export interface ByteRange {
  readonly from: number
  readonly length: number
}

/** Memory of up to so many bytes is used again: to allocate it for each chunk takes as long as reading one from the page cache. */
const MAX_SPARE_BYTES = 8 << 20

/** It is allocated in multiples of so many bytes. */
const STEP_BYTES = 1 << 20

/** Memory that no one uses. Null: it is in use, or there was none yet. */
let spare: ArrayBuffer | null = null

whenTrimmed(() => {
  spare = null
})

/** Reads the stored bytes of a chunk, or of several. They must be freed by `freeStored`. */
export function readStored(source: ByteSource, { from, length }: ByteRange): Uint8Array {
  if (length > MAX_SPARE_BYTES) return source.read(from, length)
  const memory = spare !== null && spare.byteLength >= length ? spare : allocate(length)
  spare = null
  const bytes = new Uint8Array(memory, 0, length)
  source.readInto(from, bytes)
  return bytes
}

/** Frees stored bytes, which must not be used any more. */
export function freeStored(source: ByteSource, bytes: Uint8Array): void {
  const { buffer } = bytes
  const isSpare = buffer instanceof ArrayBuffer && buffer.byteLength <= MAX_SPARE_BYTES
  if (!isSpare) source.release(bytes)
  else if (spare === null || spare.byteLength < buffer.byteLength) spare = buffer
}

function allocate(length: number): ArrayBuffer {
  return new ArrayBuffer(Math.ceil(length / STEP_BYTES) * STEP_BYTES)
}
