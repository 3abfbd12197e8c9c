import { ServiceError } from '../../../../plan/errors.ts'
import { Codec } from '../metadata/metadata.ts'

/**
 * Inflates the first `length` bytes of a page, to read its levels, for codecs that Node's zlib lacks. Whole pages of these
 * codecs are inflated in the core or by parquet-wasm. Null: the codec is not supported here. Throws `unreadable_file`.
 */
export function inflatePrefix(codec: number, stored: Uint8Array, length: number): Uint8Array | null {
  if (codec === Codec.uncompressed) return stored.subarray(0, length)
  const output = new Uint8Array(length)
  if (codec === Codec.snappy) snappy(stored, output)
  else if (codec === Codec.lz4Raw) lz4(stored, output)
  else return null
  return output
}

/** Inflates until the output is full (format_description.txt of google/snappy). */
function snappy(input: Uint8Array, output: Uint8Array): void {
  let at = 0
  while ((input[at++] ?? 0) > 127);
  for (let end = 0; end < output.length; ) {
    const tag = byteAt(input, at++)
    const kind = tag & 3
    if (kind === 0) {
      const short = tag >> 2
      const extra = Math.max(0, short - 59)
      const size = (extra === 0 ? short : littleEndian(input, at, extra)) + 1
      at += extra
      end = literal(input, at, output, end, size)
      at += size
    } else {
      const [size, offset, bytes] =
        kind === 1
          ? [4 + ((tag >> 2) & 7), ((tag >> 5) << 8) | byteAt(input, at), 1]
          : [(tag >> 2) + 1, littleEndian(input, at, kind === 2 ? 2 : 4), kind === 2 ? 2 : 4]
      at += bytes
      end = copy(output, end, offset, size)
    }
  }
}

/** Inflates until the output is full (lz4_Block_format.md of lz4/lz4). */
function lz4(input: Uint8Array, output: Uint8Array): void {
  let at = 0
  const extend = (nibble: number): number => {
    let size = nibble
    if (nibble < 15) return size
    for (;;) {
      const byte = byteAt(input, at++)
      size += byte
      if (byte < 255) return size
    }
  }
  for (let end = 0; end < output.length; ) {
    const token = byteAt(input, at++)
    const size = extend(token >> 4)
    end = literal(input, at, output, end, size)
    at += size
    if (end >= output.length) return
    const offset = littleEndian(input, at, 2)
    at += 2
    end = copy(output, end, offset, extend(token & 15) + 4)
  }
}

function literal(input: Uint8Array, at: number, output: Uint8Array, end: number, size: number): number {
  const wanted = Math.min(size, output.length - end)
  if (wanted > input.length - at) throw fault()
  output.set(input.subarray(at, at + wanted), end)
  return end + size
}

/** Copies byte by byte, because source and target may overlap. */
function copy(output: Uint8Array, end: number, offset: number, size: number): number {
  if (offset === 0 || offset > end) throw fault()
  const wanted = Math.min(end + size, output.length)
  for (let i = end; i < wanted; i++) output[i] = output[i - offset] ?? 0
  return end + size
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let i = 0; i < count; i++) value += byteAt(bytes, at + i) * 256 ** i
  return value
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw fault()
  return byte
}

function fault(): ServiceError {
  return new ServiceError('unreadable_file', 'a page cannot be inflated')
}
