/** Decoders take up to so many bytes more than the chunk has. */
const SPARE_BYTES = 64

/** A buffer that begins with the bytes, and has hardly any others. */
export function toOwnBuffer({ buffer, byteOffset, length }: Uint8Array): ArrayBuffer {
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength <= length + SPARE_BYTES
  return isOwn ? buffer : (buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer)
}
