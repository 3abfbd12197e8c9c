import type { ByteSource } from '../../store/byte-source.ts'
import { COMPRESSION_HEAD, compressionOfHead } from '../compressed/compression-of.ts'

const COMPRESSED = 'compressed with '
const ZIP = 'a ZIP archive'

/** First bytes of files that are not text in one byte after the other, and how messages name their content. */
const FOREIGN: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [[0x1f, 0x8b], `${COMPRESSED}gzip`],
  [[0x28, 0xb5, 0x2f, 0xfd], `${COMPRESSED}zstd`],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], `${COMPRESSED}xz`],
  [[0x50, 0x4b, 0x03, 0x04], ZIP],
  [[0xff, 0xfe], 'UTF-16'],
  [[0xfe, 0xff], 'UTF-16'],
  [[0x89, 0x48, 0x44, 0x46], 'an HDF5 or NetCDF 4 file'],
  [[0x43, 0x44, 0x46, 0x01], 'a NetCDF file'],
  [[0x43, 0x44, 0x46, 0x02], 'a NetCDF file'],
  [[0x43, 0x44, 0x46, 0x05], 'a NetCDF file'],
  [[0x49, 0x49, 0x2a, 0x00], 'a TIFF file'],
  [[0x4d, 0x4d, 0x00, 0x2a], 'a TIFF file'],
]

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** The first bytes of a file, compared with those of `FOREIGN`. */
const HEAD = 8

/** The content of a file that cannot be such text, for messages. Null: it may be. */
export function foreignKind(source: ByteSource): string | null {
  const head = source.read(0, Math.min(COMPRESSION_HEAD, source.size))
  const kind = FOREIGN.find(([bytes]) => beginsWith(head, bytes))?.[1]
  if (kind !== undefined) return kind
  const compression = compressionOfHead(head)
  return compression === null ? null : `${COMPRESSED}${compression}`
}

/** What to do with a file of such content, as the end of a message. Empty: nothing is known. */
export function adviceForForeign(kind: string): string {
  if (kind === 'UTF-16') return '; convert it, for example with iconv -f UTF-16 -t UTF-8'
  return kind === ZIP || kind.startsWith(COMPRESSED) ? '; unpack it' : ''
}

/** The bytes of the byte order mark of UTF-8 at the beginning of a file: 3 or 0. */
export function markBytes(source: ByteSource): number {
  return beginsWith(headOf(source), BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
}

/** Whether each of the first characters has a zero byte beside it, as in UTF-16 without a mark. */
export function isWide(source: ByteSource): boolean {
  const head = headOf(source)
  if (head.length < HEAD) return false
  const [first, second] = [0, 1].map((from) => head.filter((_, index) => index % 2 === from))
  return [first, second].some((half) => half?.every((byte) => byte === 0)) && head.some((byte) => byte !== 0)
}

function headOf(source: ByteSource): Uint8Array {
  return source.read(0, Math.min(HEAD, source.size))
}

function beginsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte)
}
