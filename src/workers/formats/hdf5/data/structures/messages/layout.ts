import { productOf } from '../../../../../../plan/product-of.ts'
import { fault } from '../../../../fault.ts'
import type { Cursor } from '../cursor.ts'

/** How the elements of a dataset are stored. */
export type Layout =
  /** In the object header. */
  | { readonly kind: 'compact'; readonly bytes: Uint8Array }
  /** In one piece of the file. No address: nothing was written. */
  | { readonly kind: 'contiguous'; readonly address: number | null; readonly bytes: number | null }
  | ChunkedLayout

export interface ChunkedLayout {
  readonly kind: 'chunked'
  /** The number of elements of a chunk along each dimension. */
  readonly chunk: readonly number[]
  readonly elementBytes: number
  readonly index: IndexLocation
  /** Whether filters are left out for chunks that reach beyond the shape. */
  readonly areEdgesUnfiltered: boolean
}

/** Which index says where chunks are, and its address. No address: no chunk was written. */
export interface IndexLocation {
  readonly kind: 'btree1' | 'single' | 'implicit' | 'fixed_array' | 'extensible_array' | 'btree2'
  readonly address: number | null
  /** Of a single chunk that has passed filters: its stored bytes, and the filters that were left out. */
  readonly filtered: { readonly bytes: number; readonly mask: number } | null
}

const CLASSES = ['compact', 'contiguous', 'chunked', 'virtual'] as const

/** HDF5 has at most so many dimensions. */
const MAX_RANK = 32

/** Reads a layout message. Throws `unreadable_file`, also for a virtual dataset. */
export function readLayout(body: Cursor): Layout {
  const version = body.uint(1)
  if (version === 1 || version === 2) return readLayout1(body)
  if (version < 3 || version > 5) throw fault(`a layout of version ${version} is not read`)
  const kind = classOf(body.uint(1))
  if (kind === 'compact') return { kind, bytes: body.take(body.uint(2)) }
  if (kind === 'contiguous') return { kind, address: body.address(), bytes: body.length() }
  return version === 3 ? readChunked3(body) : readChunked4(body)
}

function classOf(value: number): Exclude<(typeof CLASSES)[number], 'virtual'> {
  const kind = CLASSES[value]
  if (kind === undefined) throw fault(`a layout of class ${value} is not read`)
  if (kind === 'virtual') throw fault('it is virtual: its elements are in other files')
  return kind
}

/** Versions 1 and 2, as libraries before 1.6.3 wrote them. */
function readLayout1(body: Cursor): Layout {
  const rank = body.uint(1)
  const kind = classOf(body.uint(1))
  body.skip(5)
  if (kind === 'compact') {
    body.skip(4 * rank)
    return { kind, bytes: body.take(body.uint(4)) }
  }
  const address = body.address()
  return kind === 'contiguous'
    ? { kind, address, bytes: null }
    : chunkedLayout(body, rank, 4, btree1(address))
}

function readChunked3(body: Cursor): Layout {
  const rank = body.uint(1)
  return chunkedLayout(body, rank, 4, btree1(body.address()))
}

function btree1(address: number | null): IndexLocation {
  return { kind: 'btree1', address, filtered: null }
}

/** Bits of the flags of versions 4 and 5. */
const FLAGS = Object.freeze({ areEdgesUnfiltered: 1, isSingleFiltered: 2 })

function readChunked4(body: Cursor): Layout {
  const flags = body.uint(1)
  const rank = body.uint(1)
  const sizeBytes = body.uint(1)
  if (sizeBytes < 1 || sizeBytes > 8) throw fault(`a layout has sizes of ${sizeBytes} bytes`)
  const layout = chunkedLayout(body, rank, sizeBytes, btree1(null))
  const index = readIndex4(body, body.uint(1), flags)
  return { ...layout, index, areEdgesUnfiltered: (flags & FLAGS.areEdgesUnfiltered) !== 0 }
}

/** The indexes of versions 4 and 5 by their numbers, and the bytes that their own headers repeat. */
const INDEXES = [
  undefined,
  { kind: 'single', skipped: 0 },
  { kind: 'implicit', skipped: 0 },
  { kind: 'fixed_array', skipped: 1 },
  { kind: 'extensible_array', skipped: 5 },
  { kind: 'btree2', skipped: 6 },
] as const

function readIndex4(body: Cursor, type: number, flags: number): IndexLocation {
  let filtered: IndexLocation['filtered'] = null
  if (type === 1 && (flags & FLAGS.isSingleFiltered) !== 0)
    filtered = { bytes: body.length(), mask: body.uint(4) }
  const chunkIndex = INDEXES[type]
  if (chunkIndex === undefined) throw fault(`an index of chunks of type ${type} is not read`)
  body.skip(chunkIndex.skipped)
  return { kind: chunkIndex.kind, address: body.address(), filtered }
}

/** The sizes of a chunk. The last of them is the size of an element. */
function chunkedLayout(body: Cursor, rank: number, sizeBytes: number, index: IndexLocation): ChunkedLayout {
  if (rank < 2 || rank > MAX_RANK + 1) throw fault(`it has chunks of ${rank - 1} dimensions`)
  const chunk = Array.from({ length: rank }, () => body.uint(sizeBytes))
  const elementBytes = chunk.pop() ?? 0
  const bytes = productOf(chunk) * elementBytes
  if (bytes === 0 || bytes > Number.MAX_SAFE_INTEGER)
    throw fault(`it has chunks of ${chunk.join(' × ')} elements of ${elementBytes} bytes`)
  return { kind: 'chunked', chunk, elementBytes, index, areEdgesUnfiltered: false }
}
