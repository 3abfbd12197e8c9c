import type { ServiceError } from '../../../../plan/errors.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import { fault } from '../../fault.ts'
import { type FileMetaData, fileMetaData } from './metadata.ts'
import { decode } from './thrift.ts'

/** A file ends with the length of its metadata (uint32, little endian) and the magic number. */
const TRAILER_BYTES = 8

/** How much of the end of a file is read at once. It has the metadata of most files, so that opening takes one read. */
const FIRST_READ_BYTES = 64 << 10

/** The largest footer that is read. Thousands of columns in hundreds of row groups take some tens of megabytes. */
const MAX_FOOTER_BYTES = 128 << 20

/** Whether the file begins and ends with one of Parquet's magic numbers, that of encrypted footers included. */
export function hasMagic(source: ByteSource): boolean {
  if (source.size < 4 + TRAILER_BYTES) return false
  const isMagic = (bytes: Uint8Array): boolean => ['PAR1', 'PARE'].includes(ascii(bytes))
  return isMagic(source.read(0, 4)) && isMagic(source.read(source.size - 4, 4))
}

export interface Footer extends FileMetaData {
  /** The offset in the file at which the footer begins. All rows lie before it. */
  readonly begin: number
}

/** Reads the footer. Throws `unreadable_file`; callers add the file's name. */
export function readFooter(source: ByteSource): Footer {
  if (source.size < 4 + TRAILER_BYTES)
    throw fault(`it has ${source.size} bytes, too few for any Parquet file`)
  // Of a file in memory no more is copied than the footer: what is made of it has views of it.
  const first = source.view === undefined ? FIRST_READ_BYTES : TRAILER_BYTES
  const tail = source.read(Math.max(0, source.size - first), Math.min(source.size, first))
  const magic = ascii(tail.subarray(-4))
  if (magic === 'PARE') throw encrypted()
  if (magic !== 'PAR1')
    throw fault('it does not end with the magic number PAR1: no Parquet file, or cut short')
  const length = lengthIn(tail)
  if (length > source.size - 4 - TRAILER_BYTES)
    throw fault(`its footer claims ${length} of ${source.size} bytes; the file is damaged or cut short`)
  if (length > MAX_FOOTER_BYTES)
    throw fault(`its footer of ${length} bytes is larger than the ${MAX_FOOTER_BYTES} that are read`)
  const held = length + TRAILER_BYTES
  const footer =
    held <= tail.length
      ? tail.subarray(tail.length - held, tail.length - TRAILER_BYTES)
      : source.read(source.size - held, length)
  const metadata = decode(fileMetaData, footer)
  if (metadata.encryption !== undefined) throw encrypted()
  return { ...metadata, begin: source.size - held }
}

/** The bytes of the footer of a file that is in memory, without a copy. Null: it is not in memory, or it has none that is plain. */
export function viewFooter(source: ByteSource): Uint8Array | null {
  if (source.view === undefined || source.size < 4 + TRAILER_BYTES) return null
  const trailer = source.view(source.size - TRAILER_BYTES, TRAILER_BYTES)
  const length = lengthIn(trailer)
  if (ascii(trailer.subarray(-4)) !== 'PAR1' || length > source.size - 4 - TRAILER_BYTES) return null
  return source.view(source.size - TRAILER_BYTES - length, length)
}

/** The length of the footer, as the trailer says. */
function lengthIn(tail: Uint8Array): number {
  return new DataView(tail.buffer, tail.byteOffset + tail.length - TRAILER_BYTES).getUint32(0, true)
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

function encrypted(): ServiceError {
  return fault('it is encrypted, and encrypted Parquet files cannot be read')
}
