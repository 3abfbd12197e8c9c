import type { Segment } from '../../../plan/source/segments.ts'
import { rowWidth } from '../../../plan/types/row-width.ts'
import type { Inferred } from './infer.ts'
import type { CsvLimits } from './limits.ts'

/** Bytes `from`..`to` of a file, `to` excluded. */
export interface Block {
  readonly from: number
  readonly to: number
}

/** The number of blocks into which the bytes `begin`..`size` are cut: a small one, then large ones. */
export function countBlocks(begin: number, size: number, { firstBlock, block }: CsvLimits): number {
  const bytes = size - begin
  return bytes <= 0 ? 0 : 1 + Math.ceil(Math.max(0, bytes - firstBlock) / block)
}

/** The block of this index, counted from 0. */
export function blockAt(index: number, begin: number, size: number, { firstBlock, block }: CsvLimits): Block {
  const from = index === 0 ? begin : begin + firstBlock + (index - 1) * block
  return { from, to: Math.min(size, index === 0 ? begin + firstBlock : from + block) }
}

/** The bytes of columns when decoded for each byte of text, if there is no sample: numbers of some four digits become eight bytes. */
const UNKNOWN_GROWTH = 2

/** One segment for each block, its sizes estimated from the sample. Blocks of equal size share one `Segment`. */
export function blockSegments(
  { schema, records, bytes, columnBytes }: Inferred,
  begin: number,
  size: number,
  limits: CsvLimits,
): Segment[] {
  const segmentsByLength = new Map<number, Segment>()
  return Array.from({ length: countBlocks(begin, size, limits) }, (_, index) => {
    const { from, to } = blockAt(index, begin, size, limits)
    const share = (to - from) / Math.max(1, bytes)
    const segment = segmentsByLength.get(to - from) ?? {
      rows: null,
      decodedBytes: schema.fields.map(({ type }, column) => {
        const text = type.kind === 'utf8' ? (columnBytes[column] ?? 0) : 0
        const unknown = records === 0 ? UNKNOWN_GROWTH * (columnBytes[column] ?? 0) : 0
        return Math.ceil(share * (records * rowWidth(type) + text + unknown))
      }),
      storedBytes: columnBytes.map((each) => Math.ceil(share * each)),
    }
    segmentsByLength.set(to - from, segment)
    return segment
  })
}
