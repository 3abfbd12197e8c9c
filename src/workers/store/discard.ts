/**
 * Frees the memory of a large buffer at once, whose bytes nobody may look at any more. The garbage collector would too,
 * after it has looked at all objects, for every 64 MB read: with DuckDB in the thread that takes as long as reading.
 */
export function discard({ buffer }: Uint8Array): void {
  // Others may have their bytes in a buffer of the pool's size.
  if (buffer.byteLength > Buffer.poolSize && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
