import type { ParquetBounds, ParquetColumnChunk, ParquetPage } from './chunk-summary.ts'
import type { ParquetStorage } from './storage.ts'

/** Reads what the core has told of a column chunk (`summary.rs`). Bounds share the memory of `summary`. */
export function readSummary(summary: Uint8Array, storage: ParquetStorage): ParquetColumnChunk {
  const view = new DataView(summary.buffer, summary.byteOffset, summary.byteLength)
  const hasText = storage.kind === 'byte_array'
  let at = 0
  const word = (): number => {
    at += 4
    return view.getUint32(at - 4, true)
  }
  const bytes = (length: number): Uint8Array => {
    at += length
    return summary.subarray(at - length, at)
  }
  const bounds = (): ParquetBounds | null => {
    const flags = word()
    if (flags === 0) return null
    const [leastBytes, greatestBytes] = [word(), word()]
    return {
      least: bytes(leastBytes),
      greatest: bytes(greatestBytes),
      isLeastExact: (flags & 2) !== 0,
      isGreatestExact: (flags & 4) !== 0,
    }
  }
  const [dictionaryBytes, plainBytes, order, count] = [word(), word(), word(), word()]
  const whole = bounds()
  const pages: ParquetPage[] = []
  let firstRow = 0
  for (let page = 0; page < count; page++) {
    const [at, bytes, rows, nulls, text] = [word(), word(), word(), word(), word()]
    pages.push({ at, bytes, firstRow, rows, nulls, textBytes: hasText ? text : null, bounds: bounds() })
    firstRow += rows
  }
  const sum = (of: (page: ParquetPage) => number) => pages.reduce((total, page) => total + of(page), 0)
  return {
    rows: firstRow,
    nulls: sum(({ nulls }) => nulls),
    bytes: dictionaryBytes + sum(({ bytes }) => bytes),
    plainBytes,
    dictionaryBytes,
    codec: 'zstd',
    bounds: whole,
    pages,
    order: ORDERS[order] ?? 'unordered',
    textBytes: hasText ? sum(({ textBytes }) => textBytes ?? 0) : null,
  }
}

const ORDERS = Object.freeze(['unordered', 'ascending', 'descending'] as const)
