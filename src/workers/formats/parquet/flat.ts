import { sameType } from '../../../plan/schema.ts'
import type { FlatColumn, FlatPage } from '../../../wasm/flat-column.ts'
import { isInflated } from './codecs.ts'
import { Codec, Encoding, PageType, PhysicalType } from './metadata.ts'
import type { MiniColumn } from './mini-file.ts'
import { type Page, valuesOf } from './pages.ts'
import type { Leaf } from './schema.ts'

const WIDTHS = new Map<number | undefined, 4 | 8>([
  [PhysicalType.int32, 4],
  [PhysicalType.int64, 8],
  [PhysicalType.float, 4],
  [PhysicalType.double, 8],
])

const ENCODINGS = new Map<number | undefined, 'plain' | 'dictionary'>([
  [Encoding.plain, 'plain'],
  [Encoding.plainDictionary, 'dictionary'],
  [Encoding.rleDictionary, 'dictionary'],
])

/**
 * Rows `offset`..`offset + limit` of a flat column whose values are numbers, text or binary, and either plain or in a
 * dictionary, for the core to decode; null when the column is anything else, or when its pages are not as they should be:
 * what is wrong with them is then told by whoever decodes it.
 */
export function flatColumnOf(
  { column, chunks: [chunk, ...others] }: MiniColumn,
  offset: number,
  limit: number,
): FlatColumn | null {
  if (chunk === undefined || others.length > 0 || 'children' in column.node) return null
  const { leaf, codec } = chunk
  const values = valuesIn(leaf)
  if (values === null || leaf.maxRepetition > 0 || leaf.maxDefinition > 1) return null
  if (codec !== Codec.uncompressed && !isInflated(codec)) return null
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
    if (page.header.type === PageType.dictionary) {
      if (dictionary !== null) return null
      dictionary = { bytes: page.body, values: page.header.dictionaryPage?.values ?? 0 }
      continue
    }
    const rows = valuesOf(page.header)
    const split = rows === null ? null : splitPage(page, leaf.maxDefinition)
    if (rows === null || split === null) return null
    const skip = Math.min(rows, Math.max(0, offset - row))
    const take = Math.min(rows, offset + limit - row) - skip
    row += rows
    if (take <= 0) continue
    const { bytes, levelBytes, encoding } = split
    const plain = encoding === 'plain' ? bytes.subarray(levelBytes ?? 0) : null
    const hasNoNull = levelBytes === null || areAllOnes(bytes.subarray(0, levelBytes), rows)
    pages.push(
      typeof values === 'number' && hasNoNull && plain?.length === rows * values
        ? { kind: 'values', bytes: plain.subarray(skip * values, (skip + take) * values) }
        : { kind: 'encoded', bytes, levelBytes, encoding, rows, skip, take },
    )
  }
  return row < offset + limit ? null : { values, rows: limit, dictionary, pages }
}

/** What the core takes the values for; null when it does not know them. */
function valuesIn(leaf: Leaf): FlatColumn['values'] | null {
  const { stored, type, element } = leaf
  if (element.type !== PhysicalType.byteArray)
    return isStoredAsRead(leaf) ? (WIDTHS.get(element.type) ?? null) : null
  // What is stored as binary may be read as text, which the core checks.
  const isBytes = stored.kind === 'utf8' || stored.kind === 'binary'
  return isBytes && (type.kind === 'utf8' || type.kind === 'binary') ? type.kind : null
}

/** Whether the Arrow type is what the bits in the file are: an instant's zone is not in them. */
function isStoredAsRead({ stored, type }: Leaf): boolean {
  if (type.kind === 'decimal' || type.kind === 'null') return false
  if (type.kind === 'int' && type.bits < 32) return false
  if (type.kind === 'timestamp' && stored.kind === 'timestamp') return type.unit === stored.unit
  return sameType(stored, type)
}

interface SplitPage {
  /** Definition levels and values. */
  readonly bytes: Uint8Array
  readonly levelBytes: number | null
  readonly encoding: 'plain' | 'dictionary'
}

function splitPage({ header, body }: Page, maxDefinition: number): SplitPage | null {
  const { dataPage, dataPageV2 } = header
  const encoding = ENCODINGS.get((dataPageV2 ?? dataPage)?.encoding)
  if (encoding === undefined) return null
  if (dataPageV2) {
    const { definitionLevelBytes, repetitionLevelBytes } = dataPageV2
    if (repetitionLevelBytes !== 0) return null
    if (maxDefinition > 0) return { bytes: body, levelBytes: definitionLevelBytes, encoding }
    return { bytes: body.subarray(definitionLevelBytes), levelBytes: null, encoding }
  }
  if (maxDefinition === 0) return { bytes: body, levelBytes: null, encoding }
  if (dataPage?.definitionLevelEncoding !== Encoding.rle || body.length < 4) return null
  // The levels of a V1 page begin with their length.
  const levelBytes = new DataView(body.buffer, body.byteOffset).getUint32(0, true)
  return levelBytes > body.length - 4 ? null : { bytes: body.subarray(4), levelBytes, encoding }
}

/** Whether definition levels of one bit are a single run of ones, which is how writers say that there is no null. */
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
