import { crc32 } from 'node:zlib'
import { ServiceError } from '../../../../plan/errors.ts'
import type { Input } from '../decode/compact.ts'
import { inflate, isInflated, MAX_PAGE_BYTES } from '../metadata/codecs.ts'
import { Codec, Encoding, type PageHeader, PageType, pageHeader } from '../metadata/metadata.ts'

/** One page as it is stored. */
export interface Page {
  readonly header: PageHeader
  /** What follows the header: levels and values, compressed as the header and the chunk's codec say. */
  readonly body: Uint8Array
}

/** So many rows that nobody looks at, in the place of pages. */
export interface Gap {
  readonly gap: number
}

/**
 * The data and dictionary pages in a run of bytes that begins and ends with a page, or ends anywhere behind those that
 * have `values` values. Index pages are left out.
 */
export function* readPages(bytes: Uint8Array, values = Number.POSITIVE_INFINITY): Generator<Page> {
  let left = values
  for (let at = 0; at < bytes.length && left > 0; ) {
    const { header, headerBytes } = readPageHeader(bytes.subarray(at))
    at += headerBytes
    if (header.compressedSize > bytes.length - at)
      throw fault(`a page claims ${header.compressedSize} bytes where ${bytes.length - at} follow`)
    const body = bytes.subarray(at, at + header.compressedSize)
    at += header.compressedSize
    left -= valuesOf(header) ?? 0
    if (header.type !== PageType.index) yield { header, body }
  }
}

/** The header that `bytes` begin with, checked in itself. */
export function readPageHeader(bytes: Uint8Array): {
  readonly header: PageHeader
  readonly headerBytes: number
} {
  const input: Input = { bytes, at: 0 }
  const header = pageHeader.read(input)
  checkHeader(header)
  return { header, headerBytes: input.at }
}

/** How the values of a page are encoded. */
export function encodingOf(header: PageHeader): number | undefined {
  return (header.dataPage ?? header.dataPageV2 ?? header.dictionaryPage)?.encoding
}

/** Whether the values of a data page are places in the dictionary. */
export function isByDictionary(header: PageHeader): boolean {
  const encoding = encodingOf(header)
  return encoding === Encoding.plainDictionary || encoding === Encoding.rleDictionary
}

/** Values of a data page, nulls and empty lists included; null: a dictionary page. */
export function valuesOf(header: PageHeader): number | null {
  return header.dataPage?.values ?? header.dataPageV2?.values ?? null
}

/** Rows that begin in a data page, as far as its header tells. */
export function rowsOf(header: PageHeader, maxRepetition: number): number | null {
  return maxRepetition === 0 ? valuesOf(header) : (header.dataPageV2?.rows ?? null)
}

/** Of the stored bytes, if the page has one. */
export function checkChecksum({ header, body }: Page): void {
  if (header.crc !== undefined && crc32(body) !== header.crc >>> 0)
    throw fault('the checksum of a page is wrong')
}

/**
 * The page without compression, if its codec is inflated here (codecs.ts), else the page itself; its checksum, if it
 * has one, is checked.
 */
export function inflatePage(page: Page, codec: number): Page {
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
  const inflated = inflate(codec, body.subarray(levels), header.uncompressedSize - levels)
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

/** Snappy data begin with their inflated length, for which the decoder makes room before anything else. */
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

function fault(what: string): ServiceError {
  return new ServiceError('unreadable_file', what)
}
