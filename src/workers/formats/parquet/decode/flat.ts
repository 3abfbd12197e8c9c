import type { FlatBytes, FlatColumn, FlatPage } from '../../../../wasm/core/flat-column.ts'
import { Codec, Encoding, PageType } from '../metadata/metadata.ts'
import type { Leaf } from '../metadata/schema.ts'
import { encodingOf, type Page, valuesOf } from '../pages/pages.ts'
import { splitPage } from '../pages/split-page.ts'
import { CORE_CODECS, flatKindOf, isKnownEncoding } from './flat-kind.ts'
import type { MiniChunk, MiniColumn } from './mini-file.ts'

/**
 * Rows `offset`..`offset + limit` of a flat column for the core to decode. Null: the core cannot decode its type or one of its
 * encodings, or its pages are inconsistent. The column is then decoded by parquet-wasm, which reports what is wrong.
 */
export function flatColumnOf(
  { column, chunks: [chunk, ...others] }: MiniColumn,
  offset: number,
  limit: number,
): FlatColumn | null {
  if (chunk === undefined || others.length > 0 || 'children' in column.node) return null
  const { leaf, codec } = chunk
  const kind = flatKindOf(column, leaf)
  if (kind === null || leaf.maxRepetition > 0 || leaf.maxDefinition > 1) return null
  if (!CORE_CODECS.includes(codec)) return null
  const width = typeof kind.stored === 'number' && kind.read !== 'nothing' ? kind.stored : 0
  const pages: FlatPage[] = []
  let dictionary: FlatColumn['dictionary'] = null
  let row = 0
  for (const page of chunk.pages) {
    if ('gap' in page) {
      const take = Math.min(row + page.gap, offset + limit) - Math.max(row, offset)
      if (take > 0) pages.push({ kind: 'skipped', take })
      row += page.gap
      continue
    }
    const { header } = page
    if (header.type === PageType.dictionary) {
      if (dictionary !== null || kind.stored === 'bits') return null
      dictionary = { ...flatBytes(page, chunk), values: header.dictionaryPage?.values ?? 0 }
      continue
    }
    const rows = valuesOf(header)
    const encoding = encodingOf(header)
    if (rows === null || !isKnownEncoding(leaf, encoding) || !hasKnownLevels(page, leaf)) return null
    const skip = Math.min(rows, Math.max(0, offset - row))
    const take = Math.min(rows, offset + limit - row) - skip
    row += rows
    if (take <= 0) continue
    const stored = flatBytes(page, chunk)
    const plain =
      encoding === Encoding.plain && stored.codec === Codec.uncompressed
        ? plainValues(page, leaf, rows)
        : null
    if (plain !== null && width > 0 && plain.length === rows * width) {
      const bytes = plain.subarray(skip * width, (skip + take) * width)
      pages.push({ kind: 'values', bytes, rows: take })
    } else {
      const levelBytes = header.dataPageV2?.definitionLevelBytes ?? null
      pages.push({ kind: 'encoded', ...stored, levelBytes, encoding, rows, skip, take })
    }
  }
  if (row < offset + limit) return null
  return { ...kind, isOptional: leaf.maxDefinition > 0, rows: limit, wanted: chunk.few, dictionary, pages }
}

function flatBytes({ header, body }: Page, { codec }: MiniChunk): FlatBytes {
  const isCompressed = header.dataPageV2?.isCompressed !== false
  return { bytes: body, codec: isCompressed ? codec : Codec.uncompressed, size: header.uncompressedSize }
}

function hasKnownLevels({ header: { dataPage, dataPageV2 } }: Page, { maxDefinition }: Leaf): boolean {
  if (dataPageV2) return dataPageV2.repetitionLevelBytes === 0
  return maxDefinition === 0 || dataPage?.definitionLevelEncoding === Encoding.rle
}

/** The values of a page without compression. Null: its levels do not show that no row is null. */
function plainValues(page: Page, { maxDefinition }: Leaf, rows: number): Uint8Array | null {
  const isOptional = maxDefinition > 0
  const { levels, values } = splitPage(page, isOptional)
  return isOptional && !areAllOnes(levels, rows) ? null : values
}

/** Whether definition levels of one bit are a single run of ones, as writers encode a page without nulls. */
function areAllOnes(levels: Uint8Array, rows: number): boolean {
  let header = 0
  let at = 0
  for (let scale = 1; at < 5; scale *= 128) {
    const byte = levels[at++] ?? 0
    header += (byte & 127) * scale
    if (byte < 128) break
  }
  return header % 2 === 0 && header / 2 >= rows && levels[at] === 1
}
