import type { FileFormat } from '../../../../../plan/format/file-format.ts'
import { gridOfAll, type LaidOutArrays } from '../../../../../plan/source/array-layout.ts'
import type { FileRef } from '../../../../../plan/source/file.ts'
import { type FileSummary, list } from '../../../../../plan/source/segments.ts'
import type { FileVersion } from '../../../../../plan/source/version.ts'
import { putVersion, VERSION_NUMBERS } from '../../../../../plan/source/version-numbers.ts'
import { NO_WHOLE_COLUMNS, type WholeColumns } from '../../../../../plan/source/whole.ts'
import type { Schema } from '../../../../../plan/types/schema.ts'
import type { LearnedFile } from '../../../../learned/learned-files.ts'
import { countSizes, segmentAt, sizesOfSegment } from './segment-sizes.ts'

/**
 * What is known of versions of files: of arrays, whose grid follows from their layout, or of one segment. A row of numbers for each, and one
 * object for all files that have schema, layout and sizes in common, or schema and number of columns. A row never changes; if more is learned of
 * a file, it has another one.
 */
export interface FileFacts {
  /** The summary of all columns. Undefined: it is not known. */
  find(format: FileFormat, file: FileRef): FileSummary | undefined
  /** False: a row cannot say it. */
  put(format: FileFormat, file: FileRef, learned: LearnedFile): boolean
  /** The number of files. */
  readonly size: number
  readonly bytes: number
  readonly evictions: number
}

/** What files have in common, by whose index rows refer to it. */
interface Shape {
  readonly formatKey: string
  readonly schema: Schema
  /** The number of columns of the only segment, whose sizes are in the row. */
  readonly rows: LaidOutArrays | number
}

/** Words of 32 bits of a row: shape, chunk, start and length of what is known of all values, which is behind the sizes of a segment. */
const WORDS = 4
/** With two slots of the index, each of 4 bytes. */
const ROW_BYTES = 8 * VERSION_NUMBERS + 4 * WORDS + 8

const FIRST_ROWS = 1024
/** The part of the slots that may be taken. */
const MOST_TAKEN = 0.75
/** Bytes of the chunks that what is known of all values is packed into. */
const CHUNK_BYTES = 1 << 16
const SIZE_BYTES = Uint32Array.BYTES_PER_ELEMENT

export const NO_STATISTICS: FileSummary['statistics'] = Object.freeze({})

/** `capacity`: the most bytes. When half of them are in use, rows that have not been used since the other half was are dropped. */
export function createFileFacts(capacity: number): FileFacts {
  let current = createRows()
  let earlier = createRows()
  let evictions = 0

  function add(shape: Shape, version: FileVersion, whole: WholeColumns, sizes: Uint32Array): void {
    current.put(shape, version, whole, sizes)
    if (current.bytes < capacity / 2) return
    evictions += earlier.size
    earlier = current
    current = createRows()
  }

  return {
    find({ key }, { version, folder, plain }) {
      if (folder !== undefined || plain !== undefined) return undefined
      const row = current.find(key, version)
      if (row >= 0) return summaryOf(current.shapeOf(row), current.wholeOf(row), current.sizesOf(row))
      const earlierRow = earlier.find(key, version)
      if (earlierRow < 0) return undefined
      const [shape, whole] = [earlier.shapeOf(earlierRow), earlier.wholeOf(earlierRow)]
      const sizes = earlier.sizesOf(earlierRow)
      add(shape, version, whole, sizes)
      return summaryOf(shape, whole, sizes)
    },
    put({ key }, { version, folder, plain }, { schema, grid, arrays, segment, whole }) {
      if (folder !== undefined || plain !== undefined) return false
      if (segment !== undefined) {
        const sizes = sizesOfSegment(segment)
        if (sizes === null) return false
        const shape = { formatKey: key, schema, rows: segment.decodedBytes.length }
        add(shape, version, whole, Uint32Array.from(sizes))
        return true
      }
      if (arrays === undefined || grid === null || grid !== gridOfAll(arrays)) return false
      add({ formatKey: key, schema, rows: arrays }, version, whole, NO_SIZES)
      return true
    },
    get size() {
      return current.size + earlier.size
    },
    get bytes() {
      return current.bytes + earlier.bytes
    },
    get evictions() {
      return evictions
    },
  }
}

const NO_SIZES = new Uint32Array(0)

function summaryOf({ schema, rows }: Shape, whole: WholeColumns, sizes: Uint32Array): FileSummary {
  if (typeof rows === 'number') {
    const ofSegment = { schema, segments: list([segmentAt(sizes, 0, rows)]), statistics: NO_STATISTICS }
    return whole.length === 0 ? ofSegment : { ...ofSegment, whole }
  }
  return ofArrays(schema, rows, whole)
}

function ofArrays(schema: Schema, arrays: LaidOutArrays, whole: WholeColumns): FileSummary {
  const segments = gridOfAll(arrays)
  if (segments === null) throw new TypeError('a layout with facts has no grid')
  const statistics = NO_STATISTICS
  // A literal takes less memory than one with a spread.
  return whole.length === 0
    ? { schema, segments, statistics, arrays }
    : { schema, segments, statistics, arrays, whole }
}

/** Whether a summary tells nothing besides schema, segments and their layout, statistics, and what is known of all values. */
export function isPlainSummary({
  constants,
  notices,
  omitted,
  unknownNames,
  documents,
  compressed,
}: FileSummary): boolean {
  return [constants, notices, omitted, unknownNames, documents, compressed].every(
    (each) => each === undefined,
  )
}

/** Rows that are only ever added. A file with several rows has its last one. */
interface Rows {
  readonly size: number
  readonly bytes: number
  /** The row of a file. -1: there is none. */
  find(formatKey: string, version: FileVersion): number
  shapeOf(row: number): Shape
  wholeOf(row: number): WholeColumns
  /** Empty: it has no segment. */
  sizesOf(row: number): Uint32Array
  put(shape: Shape, version: FileVersion, whole: WholeColumns, sizes: Uint32Array): void
}

function createRows(): Rows {
  let capacity = FIRST_ROWS
  let versions = new BigInt64Array(VERSION_NUMBERS * capacity)
  let words = new Uint32Array(WORDS * capacity)
  /** Rows by the hash of their version, counted from 1; 0: none. A slot that is taken leads to the next one. */
  let slots = new Uint32Array(2 * capacity)
  const shapes: Shape[] = []
  const shapesOfRows = new Map<Shape['rows'], number[]>()
  const chunks: Uint8Array[] = []
  let used = CHUNK_BYTES
  let chunkBytes = 0
  let size = 0

  /** The slot of a file: that which has its row, or a free one. */
  function slotOf(formatKey: string, version: FileVersion): number {
    for (let slot = hashOf(version) & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const row = (slots[slot] ?? 0) - 1
      if (row < 0 || (hasVersion(versions, row, version) && shapeOf(row).formatKey === formatKey)) return slot
    }
  }

  function shapeOf(row: number): Shape {
    const shape = shapes[words[WORDS * row] ?? 0]
    if (shape === undefined) throw new RangeError(`no shape of row ${row}`)
    return shape
  }

  function indexOfShape(shape: Shape): number {
    const { rows, schema, formatKey } = shape
    const indexes = shapesOfRows.get(rows) ?? []
    for (const index of indexes)
      if (shapes[index]?.schema === schema && shapes[index]?.formatKey === formatKey) return index
    indexes.push(shapes.push(shape) - 1)
    shapesOfRows.set(rows, indexes)
    return shapes.length - 1
  }

  /** Makes room for an eighth more rows, so that little of it is empty. */
  function grow(): void {
    capacity += Math.max(FIRST_ROWS, capacity >>> 3)
    versions = extend(versions, new BigInt64Array(VERSION_NUMBERS * capacity))
    words = extend(words, new Uint32Array(WORDS * capacity))
    if (capacity > MOST_TAKEN * slots.length) growSlots()
  }

  function growSlots(): void {
    const former = slots
    slots = new Uint32Array(2 * former.length)
    for (const slot of former) {
      if (slot === 0) continue
      const row = slot - 1
      let free = hashOfRow(versions, row) & (slots.length - 1)
      while (slots[free] !== 0) free = (free + 1) & (slots.length - 1)
      slots[free] = slot
    }
  }

  /** Copies what is known of all values into a chunk, behind the sizes, and returns where it begins there. */
  function copyWhole(whole: WholeColumns, sizes: Uint32Array): number {
    const length = sizes.byteLength + whole.length
    const last = chunks.at(-1)
    used = Math.ceil(used / SIZE_BYTES) * SIZE_BYTES
    if (last === undefined || used + length > last.length) {
      const chunk = new Uint8Array(Math.max(CHUNK_BYTES, Math.ceil(length / SIZE_BYTES) * SIZE_BYTES))
      chunkBytes += chunk.length
      chunks.push(chunk)
      used = 0
    }
    const chunk = chunks.at(-1) ?? NO_WHOLE_COLUMNS
    new Uint32Array(chunk.buffer, used, sizes.length).set(sizes)
    const start = used + sizes.byteLength
    chunk.set(whole, start)
    used = start + whole.length
    return start
  }

  return {
    get size() {
      return size
    },
    get bytes() {
      return size * ROW_BYTES + chunkBytes
    },
    find: (formatKey, version) => (slots[slotOf(formatKey, version)] ?? 0) - 1,
    shapeOf,
    wholeOf(row) {
      const at = WORDS * row
      const start = words[at + 2] ?? 0
      return chunks[words[at + 1] ?? 0]?.subarray(start, start + (words[at + 3] ?? 0)) ?? NO_WHOLE_COLUMNS
    },
    sizesOf(row) {
      const { rows } = shapeOf(row)
      if (typeof rows !== 'number') return NO_SIZES
      const at = WORDS * row
      const count = countSizes(rows)
      const buffer = chunks[words[at + 1] ?? 0]?.buffer ?? NO_SIZES.buffer
      return new Uint32Array(buffer, (words[at + 2] ?? 0) - SIZE_BYTES * count, count)
    },
    put(shape, version, whole, sizes) {
      if (size === capacity) grow()
      const row = size++
      const start = copyWhole(whole, sizes)
      words.set([indexOfShape(shape), chunks.length - 1, start, whole.length], WORDS * row)
      putVersion(versions, row, version)
      slots[slotOf(shape.formatKey, version)] = row + 1
    },
  }
}

/** Numbers from 2^63 on are stored as negative ones. */
function hasVersion(versions: BigInt64Array, row: number, version: FileVersion): boolean {
  const at = VERSION_NUMBERS * row
  return (
    versions[at + 1] === BigInt.asIntN(64, version.inode) &&
    versions[at + 4] === version.ctimeNs &&
    versions[at + 3] === version.mtimeNs &&
    versions[at + 2] === BigInt.asIntN(64, version.size) &&
    versions[at] === BigInt.asIntN(64, version.device)
  )
}

function hashOf({ inode, ctimeNs }: FileVersion): number {
  return mix(Number(BigInt.asUintN(32, inode)), Number(BigInt.asUintN(32, ctimeNs)))
}

function hashOfRow(versions: BigInt64Array, row: number): number {
  const [inode = 0n, ctimeNs = 0n] = [
    versions[VERSION_NUMBERS * row + 1],
    versions[VERSION_NUMBERS * row + 4],
  ]
  return mix(Number(BigInt.asUintN(32, inode)), Number(BigInt.asUintN(32, ctimeNs)))
}

/** The bits of two numbers, so that near numbers are far from each other. */
function mix(a: number, b: number): number {
  const mixed = Math.imul(Math.imul(a, 0x9e37_79b1) ^ b, 0x85eb_ca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

function extend<T extends BigInt64Array | Uint32Array>(shorter: T, longer: T): T {
  if (shorter instanceof BigInt64Array && longer instanceof BigInt64Array) longer.set(shorter)
  else if (shorter instanceof Uint32Array && longer instanceof Uint32Array) longer.set(shorter)
  return longer
}
