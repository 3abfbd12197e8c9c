/**
 * Frees the memory of a large buffer at once. Its bytes must not be used any more. The garbage collector would free it too,
 * but for every 64 MB that are read it would visit all objects, which with DuckDB in the thread takes as long as reading.
 */
export function discard({ buffer }: Uint8Array): void {
  // A buffer of this size may be Node's pool, which other buffers share.
  if (buffer.byteLength > Buffer.poolSize && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
