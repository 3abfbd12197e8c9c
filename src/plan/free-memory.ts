/** Buffers of fewer bytes are left to the garbage collector. */
const LEAST_BYTES = 16 << 10

/** Frees the memory of bytes that will not be used any more, if it is not shared with other buffers. What a socket gives in one chunk is not. */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  // A buffer of Node's pool has less than half of its `ArrayBuffer`. What has all of one shares it with nobody.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength >= LEAST_BYTES)
    buffer.transfer(0)
}
