import { crc32 } from 'node:zlib'
import type { Allocate } from '../../../../wasm/zstd-context.ts'
import { fault } from '../../fault.ts'
import { inflate, isInflated, MAX_PAGE_BYTES } from '../metadata/codecs.ts'
import type { Input } from '../metadata/compact.ts'
import { Codec, Encoding, type PageHeader, PageType, pageHeader } from '../metadata/metadata.ts'

/** A page. */
export interface Page {
  readonly header: PageHeader
  /** The bytes after the header, levels and values, compressed as the header and the codec of the chunk say. */
  readonly body: Uint8Array
}

/** Rows that are not wanted, in place of the pages that have them. */
export interface Gap {
  readonly gap: number
}

/**
 * The data and dictionary pages in bytes that begin and end with a page. If `values` is given, the pages end once they have as
 * many, and any bytes may follow. Index pages are left out. Throws `unreadable_file`.
 */
export function* readPages(bytes: Uint8Array, values = Number.POSITIVE_INFINITY): Generator<Page> {
  let remainingValues = values
  for (let at = 0; at < bytes.length && remainingValues > 0; ) {
    const { header, headerBytes } = readPageHeader(bytes.subarray(at))
    at += headerBytes
    if (header.compressedSize > bytes.length - at)
      throw fault(`a page claims ${header.compressedSize} bytes where ${bytes.length - at} follow`)
    const body = bytes.subarray(at, at + header.compressedSize)
    at += header.compressedSize
    remainingValues -= valuesOf(header) ?? 0
    if (header.type !== PageType.index) yield { header, body }
  }
}

/** Reads the page header that the bytes begin with, and checks that it is consistent. Throws `unreadable_file`. */
export function readPageHeader(bytes: Uint8Array): {
  readonly header: PageHeader
  readonly headerBytes: number
} {
  const input: Input = { bytes, at: 0 }
  const header = pageHeader.read(input)
  checkHeader(header)
  return { header, headerBytes: input.at }
}

/** The encoding of the values of a page. */
export function encodingOf(header: PageHeader): number | undefined {
  return (header.dataPage ?? header.dataPageV2 ?? header.dictionaryPage)?.encoding
}

/** Whether the values of a data page are indices into the dictionary. */
export function isByDictionary(header: PageHeader): boolean {
  const encoding = encodingOf(header)
  return encoding === Encoding.plainDictionary || encoding === Encoding.rleDictionary
}

/** The number of values in a data page, nulls and empty lists included. Null: it is a dictionary page. */
export function valuesOf(header: PageHeader): number | null {
  return header.dataPage?.values ?? header.dataPageV2?.values ?? null
}

/** The number of rows that begin in a data page. Null: its header does not tell. */
export function rowsOf(header: PageHeader, maxRepetition: number): number | null {
  return maxRepetition === 0 ? valuesOf(header) : (header.dataPageV2?.rows ?? null)
}

/** Verifies the checksum of a page as it is stored, if it has one. Throws `unreadable_file`. */
export function checkChecksum({ header, body }: Page): void {
  if (header.crc !== undefined && crc32(body) !== header.crc >>> 0)
    throw fault('the checksum of a page is wrong')
}

/**
 * Verifies the checksum of a page, if it has one, and inflates it if Node's zlib has its codec (codecs.ts). Otherwise returns
 * the page itself. It may lie in memory of `allocate`. Throws `unreadable_file`.
 */
export function inflatePage(page: Page, codec: number, allocate?: Allocate): Page {
  const { header, body } = page
  checkChecksum(page)
  const v2 = header.dataPageV2
  const isCompressed = codec !== Codec.uncompressed && v2?.isCompressed !== false
  if (!isCompressed) {
    if (header.uncompressedSize !== body.length)
      throw fault(`a page of ${header.uncompressedSize} bytes is stored in ${body.length}`)
    return page
  }
  if (!isInflated(codec)) {
    checkPreamble(page, codec)
    return page
  }
  const levels = v2 ? v2.definitionLevelBytes + v2.repetitionLevelBytes : 0
  const inflated = inflate(codec, body.subarray(levels), header.uncompressedSize - levels, allocate)
  return {
    header: {
      ...header,
      compressedSize: header.uncompressedSize,
      ...(v2 && { dataPageV2: { ...v2, isCompressed: false } }),
    },
    body: levels === 0 ? inflated : Buffer.concat([body.subarray(0, levels), inflated]),
  }
}

function checkHeader(header: PageHeader): void {
  const { type, uncompressedSize, compressedSize, dataPageV2: v2 } = header
  if (compressedSize < 0) throw fault(`a page claims ${compressedSize} bytes`)
  if (type === PageType.index) return
  const kind =
    type === PageType.data
      ? header.dataPage
      : type === PageType.dataV2
        ? v2
        : type === PageType.dictionary
          ? header.dictionaryPage
          : undefined
  if (kind === undefined) throw fault(`a page of type ${type} has no header of its type`)
  if (kind.values < 0) throw fault(`a page claims ${kind.values} values`)
  if (uncompressedSize < 0 || uncompressedSize > MAX_PAGE_BYTES)
    throw fault(`a page claims ${uncompressedSize} bytes; at most ${MAX_PAGE_BYTES} are read`)
  if (type !== PageType.dataV2 || v2 === undefined) return
  const levels = v2.definitionLevelBytes + v2.repetitionLevelBytes
  if (
    v2.definitionLevelBytes < 0 ||
    v2.repetitionLevelBytes < 0 ||
    levels > Math.min(uncompressedSize, compressedSize) ||
    v2.rows < 0 ||
    v2.rows > v2.values
  )
    throw fault('the levels of a page do not fit into it')
}

/** Checks the inflated length that Snappy data begin with: the decoder allocates as much memory before anything else. */
function checkPreamble({ header, body }: Page, codec: number): void {
  if (codec !== Codec.snappy) return
  const v2 = header.dataPageV2
  const levels = v2 ? v2.definitionLevelBytes + v2.repetitionLevelBytes : 0
  const expected = header.uncompressedSize - levels
  let length = 0
  for (let at = levels, scale = 1; at < body.length && at < levels + 5; at++, scale *= 128) {
    const byte = body[at] ?? 0
    length += (byte & 127) * scale
    if (byte < 128) break
  }
  if (length !== expected) throw fault(`a page of ${expected} bytes inflates to ${length} (snappy)`)
}
