import { sameType } from '../../../plan/schema.ts'
import { isInflated } from './codecs.ts'
import { Codec, Encoding, PhysicalType } from './metadata.ts'
import type { MiniColumn } from './mini-file.ts'
import { type Page, valuesOf } from './pages.ts'
import type { Leaf } from './schema.ts'

/** Values that lie in their pages as Arrow wants them: no more to do than to copy them. */
export interface PlainValues {
  /** Bytes of one value. */
  readonly width: number
  /** Rows `offset`..`offset + limit`, in order. */
  readonly values: readonly Uint8Array[]
}

const WIDTHS = new Map<number | undefined, number>([
  [PhysicalType.int32, 4],
  [PhysicalType.int64, 8],
  [PhysicalType.float, 4],
  [PhysicalType.double, 8],
])

/**
 * The values of a flat column of fixed width whose pages are PLAIN and hold no null (Encodings.md of
 * apache/parquet-format), or null when the column is anything else; what is wrong with its pages is then told by
 * whoever decodes it.
 */
export function plainValues(
  { column, chunks: [chunk, ...others] }: MiniColumn,
  offset: number,
  limit: number,
): PlainValues | null {
  if (chunk === undefined || others.length > 0 || 'children' in column.node) return null
  const { leaf, codec, pages } = chunk
  const width = WIDTHS.get(leaf.element.type)
  if (width === undefined || leaf.maxRepetition > 0 || leaf.maxDefinition > 1 || !isStoredAsRead(leaf))
    return null
  if (codec !== Codec.uncompressed && !isInflated(codec)) return null
  const values: Uint8Array[] = []
  let row = 0
  for (const page of pages) {
    const rows = valuesOf(page.header)
    const bytes = rows === null ? null : valueBytes(page, rows, leaf.maxDefinition)
    if (rows === null || bytes === null || bytes.length !== rows * width) return null
    const from = Math.max(0, offset - row)
    const to = Math.min(rows, offset + limit - row)
    if (from < to) values.push(bytes.subarray(from * width, to * width))
    row += rows
  }
  return row < offset + limit ? null : { width, values }
}

/** Whether the Arrow type is what the bits in the file are: an instant's zone is not in them. */
function isStoredAsRead({ stored, type, element }: Leaf): boolean {
  if (type.kind === 'decimal' || type.kind === 'null') return false
  if (type.kind === 'int' && type.bits < 32) return false
  if (type.kind === 'timestamp' && stored.kind === 'timestamp') return type.unit === stored.unit
  return sameType(stored, type) && (type.kind !== 'date' || element.type === PhysicalType.int32)
}

/** What follows the levels of a page without nulls. */
function valueBytes({ header, body }: Page, rows: number, maxDefinition: number): Uint8Array | null {
  const { dataPage, dataPageV2 } = header
  if (dataPageV2) {
    const { encoding, nulls, definitionLevelBytes, repetitionLevelBytes } = dataPageV2
    if (encoding !== Encoding.plain || nulls !== 0 || repetitionLevelBytes !== 0) return null
    const levels = body.subarray(0, definitionLevelBytes)
    return maxDefinition === 0 || areAllOnes(levels, rows) ? body.subarray(definitionLevelBytes) : null
  }
  if (dataPage?.encoding !== Encoding.plain) return null
  if (maxDefinition === 0) return body
  if (dataPage.definitionLevelEncoding !== Encoding.rle || body.length < 4) return null
  const end = 4 + new DataView(body.buffer, body.byteOffset).getUint32(0, true)
  return end <= body.length && areAllOnes(body.subarray(4, end), rows) ? body.subarray(end) : null
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
