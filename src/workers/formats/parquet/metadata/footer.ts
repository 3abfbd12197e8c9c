import { ServiceError } from '../../../../plan/errors.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import { type FileMetaData, fileMetaData } from './metadata.ts'
import { decode } from './thrift.ts'

/** Length of the metadata (uint32, little endian) and the magic number end the file. */
const TRAILER_BYTES = 8

/** Enough for the metadata of most files, so that opening is one read. */
const FIRST_READ_BYTES = 64 << 10

/** Real footers reach some tens of megabytes (thousands of columns in hundreds of row groups). */
const MAX_FOOTER_BYTES = 128 << 20

/** Whether the file begins and ends with one of Parquet's magic numbers, encrypted footers included. */
export function hasMagic(source: ByteSource): boolean {
  if (source.size < 4 + TRAILER_BYTES) return false
  const isMagic = (bytes: Uint8Array): boolean => ['PAR1', 'PARE'].includes(ascii(bytes))
  return isMagic(source.read(0, 4)) && isMagic(source.read(source.size - 4, 4))
}

export interface Footer extends FileMetaData {
  /** Where it begins in the file: the rows lie before it. */
  readonly begin: number
}

/** Reads the footer and nothing else. Errors are `unreadable_file`, without the file's name. */
export function readFooter(source: ByteSource): Footer {
  if (source.size < 4 + TRAILER_BYTES)
    throw fault(`it has ${source.size} bytes, too few for any Parquet file`)
  const tail = source.read(
    Math.max(0, source.size - FIRST_READ_BYTES),
    Math.min(source.size, FIRST_READ_BYTES),
  )
  const magic = ascii(tail.subarray(-4))
  if (magic === 'PARE') throw encrypted()
  if (magic !== 'PAR1')
    throw fault('it does not end with the magic number PAR1: no Parquet file, or cut short')
  const length = new DataView(tail.buffer, tail.byteOffset + tail.length - TRAILER_BYTES).getUint32(0, true)
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

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

function encrypted(): ServiceError {
  return fault('it is encrypted, and encrypted Parquet files cannot be read')
}

function fault(what: string): ServiceError {
  return new ServiceError('unreadable_file', what)
}
