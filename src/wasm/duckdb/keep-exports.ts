import { ServiceError } from '../../plan/errors.ts'

const EXPORT_SECTION = 7
/** Bytes of a module before its first section: magic and version. */
const HEADER_BYTES = 8
const DECODER = new TextDecoder('latin1')

/**
 * Removes all exports from a WebAssembly module whose names `keep` refuses. The module is changed in place; the result is the
 * part of `bytes` that it has then. Throws `internal` when the module is not valid.
 */
export function keepExports(bytes: Uint8Array, keep: (name: string) => boolean): Uint8Array {
  const section = exportSection(bytes)
  const read = reader(bytes, section.begin)
  const countAt = read.at
  const count = read.number()
  const widthOfCount = read.at - countAt
  let kept = 0
  let end = read.at
  for (let i = 0; i < count; i++) {
    const from = read.at
    const length = read.number()
    const name = DECODER.decode(bytes.subarray(read.at, read.at + length))
    read.skip(length + 1)
    read.number()
    if (!keep(name)) continue
    kept++
    bytes.copyWithin(end, from, read.at)
    end += read.at - from
  }
  if (read.at !== section.end) throw damaged()
  // LEB128 allows leading zeros, so the numbers keep their width and nothing before them has to move.
  write(bytes, countAt, widthOfCount, kept)
  write(bytes, section.sizeAt, section.begin - section.sizeAt, end - section.begin)
  bytes.copyWithin(end, section.end)
  return bytes.subarray(0, bytes.length - (section.end - end))
}

interface Section {
  readonly sizeAt: number
  readonly begin: number
  readonly end: number
}

function exportSection(bytes: Uint8Array): Section {
  const read = reader(bytes, HEADER_BYTES)
  for (;;) {
    const id = bytes[read.at]
    read.skip(1)
    const sizeAt = read.at
    const size = read.number()
    const begin = read.at
    read.skip(size)
    if (id === EXPORT_SECTION) return { sizeAt, begin, end: read.at }
  }
}

/** Reads bytes, and numbers in unsigned LEB128 of at most 32 bits. */
function reader(bytes: Uint8Array, from: number) {
  let at = from
  const skip = (count: number): void => {
    at += count
    if (at > bytes.length) throw damaged()
  }
  return {
    get at() {
      return at
    },
    skip,
    number(): number {
      let value = 0
      for (let scale = 1; scale < 2 ** 35; scale *= 128) {
        const byte = bytes[at] ?? 0
        skip(1)
        value += (byte & 0x7f) * scale
        if (byte < 0x80) return value
      }
      throw damaged()
    },
  }
}

function write(bytes: Uint8Array, at: number, width: number, value: number): void {
  for (let i = 0, left = value; i < width; i++, left = Math.floor(left / 128))
    bytes[at + i] = (left % 128) | (i < width - 1 ? 0x80 : 0)
}

function damaged(): ServiceError {
  return new ServiceError('internal', 'duckdb-wasm is damaged; install its package anew')
}
