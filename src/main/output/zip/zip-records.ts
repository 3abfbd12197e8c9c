/**
 * The records of a ZIP archive (PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 and 4.5.3). The same entries give the same bytes: all have the
 * least time that the format can say, and the same rights.
 */

/** An entry of an archive, once it is written. Sizes and positions are bytes. */
export interface ZipEntry {
  /** In ASCII. */
  readonly name: string
  readonly method: ZipMethod
  /** Of the content. */
  readonly crc: number
  readonly size: number
  /** Bytes in the archive. */
  readonly packedSize: number
  /** Where its local header begins. */
  readonly at: number
}

export type ZipMethod = 'stored' | 'deflate' | 'zstd'

/** The bytes in front of an entry's content, which are always as many for a name: see `localHeader`. */
export function localHeaderBytes(name: string): number {
  return 30 + name.length + LOCAL_EXTRA_BYTES
}

/**
 * The record in front of an entry's content. Its extra field has room for sizes of 64 bits, so that it can be written before the
 * sizes are known and again in the same place when they are. If they have 32 bits, the field is one that readers pass over.
 */
export function localHeader({ name, method, crc, size, packedSize }: ZipEntry): Buffer {
  const isLarge = Math.max(size, packedSize) >= MOST_32
  const header = Buffer.alloc(localHeaderBytes(name))
  header.writeUInt32LE(0x04034b50, 0)
  writeCommon(header, 4, method, isLarge)
  header.writeUInt32LE(crc, 14)
  header.writeUInt32LE(isLarge ? MOST_32 : packedSize, 18)
  header.writeUInt32LE(isLarge ? MOST_32 : size, 22)
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(LOCAL_EXTRA_BYTES, 28)
  const extra = 30 + header.write(name, 30, 'latin1')
  header.writeUInt16LE(isLarge ? ZIP64_FIELD : PADDING_FIELD, extra)
  header.writeUInt16LE(LOCAL_EXTRA_BYTES - 4, extra + 2)
  if (!isLarge) return header
  header.writeBigUInt64LE(BigInt(size), extra + 4)
  header.writeBigUInt64LE(BigInt(packedSize), extra + 12)
  return header
}

/** The end of an archive: the central directory, which begins at position `at`, and the records behind it. */
export function centralDirectory(entries: readonly ZipEntry[], at: number): Buffer {
  const records = entries.map(centralRecord)
  const bytes = records.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([
    ...records,
    ...(at + bytes >= MOST_32 ? [end64(entries.length, bytes, at)] : []),
    end(),
  ])

  function end(): Buffer {
    const record = Buffer.alloc(22)
    record.writeUInt32LE(0x06054b50, 0)
    record.writeUInt16LE(entries.length, 8)
    record.writeUInt16LE(entries.length, 10)
    record.writeUInt32LE(Math.min(bytes, MOST_32), 12)
    record.writeUInt32LE(Math.min(at, MOST_32), 16)
    return record
  }
}

function centralRecord({ name, method, crc, size, packedSize, at }: ZipEntry): Buffer {
  // Only what does not fit into 32 bits stands in the extra field, in this order.
  const large = [size, packedSize, at].filter((value) => value >= MOST_32)
  const extraBytes = large.length === 0 ? 0 : 4 + 8 * large.length
  const record = Buffer.alloc(46 + name.length + extraBytes)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE((UNIX << 8) | versionNeeded(method, large.length > 0), 4)
  writeCommon(record, 6, method, large.length > 0)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(Math.min(packedSize, MOST_32), 20)
  record.writeUInt32LE(Math.min(size, MOST_32), 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(extraBytes, 30)
  record.writeUInt32LE((REGULAR_FILE << 16) >>> 0, 38)
  record.writeUInt32LE(Math.min(at, MOST_32), 42)
  const extra = 46 + record.write(name, 46, 'latin1')
  if (large.length === 0) return record
  record.writeUInt16LE(ZIP64_FIELD, extra)
  record.writeUInt16LE(8 * large.length, extra + 2)
  for (const [index, value] of large.entries()) record.writeBigUInt64LE(BigInt(value), extra + 4 + 8 * index)
  return record
}

/** The directory's end in 64 bits, and the record that says where it is. */
function end64(entries: number, bytes: number, at: number): Buffer {
  const record = Buffer.alloc(56 + 20)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE((UNIX << 8) | 45, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(BigInt(entries), 24)
  record.writeBigUInt64LE(BigInt(entries), 32)
  record.writeBigUInt64LE(BigInt(bytes), 40)
  record.writeBigUInt64LE(BigInt(at), 48)
  record.writeUInt32LE(0x07064b50, 56)
  record.writeBigUInt64LE(BigInt(at + bytes), 64)
  record.writeUInt32LE(1, 72)
  return record
}

/** The version that a reader needs, flags, method, time and date: the same in both records of an entry. */
function writeCommon(record: Buffer, at: number, method: ZipMethod, isLarge: boolean): void {
  record.writeUInt16LE(versionNeeded(method, isLarge), at)
  record.writeUInt16LE(METHODS[method].code, at + 4)
  record.writeUInt16LE(FIRST_DATE, at + 8)
}

function versionNeeded(method: ZipMethod, isLarge: boolean): number {
  return Math.max(METHODS[method].version, isLarge ? 45 : 10)
}

const METHODS: Readonly<Record<ZipMethod, { readonly code: number; readonly version: number }>> =
  Object.freeze({
    stored: { code: 0, version: 10 },
    deflate: { code: 8, version: 20 },
    zstd: { code: 93, version: 63 },
  })

/** In a field of 32 bits: the value stands in the extra field. */
const MOST_32 = 0xffff_ffff
/** An extra field with sizes and positions of 64 bits. */
const ZIP64_FIELD = 0x0001
/** An extra field of bytes without meaning, by which Android's `zipalign` moves contents. */
const PADDING_FIELD = 0xd935
const LOCAL_EXTRA_BYTES = 20
/** 1980-01-01. */
const FIRST_DATE = (1 << 5) | 1
/** The system whose rights the directory has, and those: a regular file that its owner may write and all may read. */
const UNIX = 3
const REGULAR_FILE = 0o100644
