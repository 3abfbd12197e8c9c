import type { FileFormat } from '../../../../../plan/format/file-format.ts'
import { gridOfAll, type LaidOutArrays } from '../../../../../plan/source/array-layout.ts'
import type { FileRef } from '../../../../../plan/source/file.ts'
import { type FileSummary, list } from '../../../../../plan/source/segments.ts'
import type { FileVersion } from '../../../../../plan/source/version.ts'
import {
  entriesOf,
  isNothing,
  NO_WHOLE_COLUMNS,
  type WholeColumns,
  type WholeOfFile,
} from '../../../../../plan/source/whole.ts'
import { bytesOfRow } from '../../../../../plan/source/whole-row.ts'
import type { Schema } from '../../../../../plan/types/schema.ts'
import { createVersionRows } from '../../../../datasets/fingerprint/version-rows.ts'
import type { LearnedFile } from '../../../../learned/learned-files.ts'
import { createRowPacker } from './row-packer.ts'
import { countSizes, segmentAt, sizesOfSegment } from './segment-sizes.ts'

/**
 * What is known of versions of files: of arrays, whose grid follows from their layout, or of one segment. A row of numbers for each, and one
 * object for all files that have schema, layout and sizes in common, or schema and number of columns. A row never changes; if more is learned of
 * a file, it has another one.
 */
export interface FileFacts {
  /** The summary of all columns. Undefined: it is not known. */
  find(format: FileFormat, file: FileRef): FileSummary | undefined
  has(format: FileFormat, file: FileRef): boolean
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

/**
 * Words of 32 bits of a row: shape, chunk, start and form of what is known of all values, which is behind the sizes of a segment. Of entries that
 * no form can say, there is their length.
 */
const WORDS = 4
/** With two slots of the index, each of 4 bytes, besides the version. */
const ROW_BYTES = 4 * WORDS + 8

const FIRST_ROWS = 1024
/**
 * The index is divided by the highest bits of the hash: a part that is full grows by itself. To move all slots at once would take 30 ms of
 * 100 000 rows.
 */
const PART_BITS = 6
const FIRST_SLOTS = (2 * FIRST_ROWS) >>> PART_BITS
/** The part of the slots that may be taken. */
const MOST_TAKEN = 0.75
/** Bytes of the chunks that what is known of all values is packed into. */
const CHUNK_BYTES = 1 << 16
/** Of a form in a word. */
const FORM_BIT = 2 ** 31
const SIZE_BYTES = Uint32Array.BYTES_PER_ELEMENT

export const NO_STATISTICS: FileSummary['statistics'] = Object.freeze({})

/** `capacity`: the most bytes. When half of them are in use, rows that have not been used since the other half was are dropped. */
export function createFileFacts(capacity: number): FileFacts {
  let current = createRows()
  let earlier = createRows()
  let evictions = 0

  function add(shape: Shape, version: FileVersion, whole: WholeOfFile, sizes: Uint32Array): void {
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
    has({ key }, { version, folder, plain }) {
      if (folder !== undefined || plain !== undefined) return false
      return current.find(key, version) >= 0 || earlier.find(key, version) >= 0
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

function summaryOf({ schema, rows }: Shape, whole: WholeOfFile, sizes: Uint32Array): FileSummary {
  if (typeof rows === 'number') {
    const ofSegment = { schema, segments: list([segmentAt(sizes, 0, rows)]), statistics: NO_STATISTICS }
    return isNothing(whole) ? ofSegment : { ...ofSegment, whole }
  }
  return ofArrays(schema, rows, whole)
}

function ofArrays(schema: Schema, arrays: LaidOutArrays, whole: WholeOfFile): FileSummary {
  const segments = gridOfAll(arrays)
  if (segments === null) throw new TypeError('a layout with facts has no grid')
  const statistics = NO_STATISTICS
  // A literal takes less memory than one with a spread.
  return isNothing(whole)
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
  wholeOf(row: number): WholeOfFile
  /** Empty: it has no segment. */
  sizesOf(row: number): Uint32Array
  put(shape: Shape, version: FileVersion, whole: WholeOfFile, sizes: Uint32Array): void
}

function createRows(): Rows {
  let capacity = FIRST_ROWS
  const versions = createVersionRows(capacity)
  let words = new Uint32Array(WORDS * capacity)
  /** Rows by the hash of their version, counted from 1; 0: none. A slot that is taken leads to the next one of its part. */
  const parts = Array.from({ length: 1 << PART_BITS }, () => new Uint32Array(FIRST_SLOTS))
  /** The slots of each part that are taken. */
  const taken = new Uint32Array(parts.length)
  const shapes: Shape[] = []
  const shapesOfRows = new Map<Shape['rows'], number[]>()
  const chunks: DataView[] = []
  const packer = createRowPacker()
  let used = CHUNK_BYTES
  let chunkBytes = 0
  /** Of versions, chunks and forms. Each row asks for it, so it is added up only where they grow. */
  let sharedBytes = 0
  let size = 0

  function slotsOf(hash: number): Uint32Array {
    return parts[partOf(hash)] ?? NO_SIZES
  }

  /** The slot of a file in its part: that which has its row, or a free one. */
  function slotOf(hash: number, formatKey: string, version: FileVersion): number {
    const slots = slotsOf(hash)
    for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const row = (slots[slot] ?? 0) - 1
      if (row < 0 || (versions.has(row, version) && shapeOf(row).formatKey === formatKey)) return slot
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
    const shorter = words
    words = new Uint32Array(WORDS * capacity)
    words.set(shorter)
  }

  function putSlot(hash: number, formatKey: string, version: FileVersion, row: number): void {
    const slots = slotsOf(hash)
    const slot = slotOf(hash, formatKey, version)
    const isTaken = slots[slot] !== 0
    slots[slot] = row + 1
    if (isTaken) return
    const part = partOf(hash)
    const count = (taken[part] ?? 0) + 1
    taken[part] = count
    if (count > MOST_TAKEN * slots.length) parts[part] = doubleSlots(slots)
  }

  /** The slots of a part with as many free ones. */
  function doubleSlots(former: Uint32Array): Uint32Array<ArrayBuffer> {
    const slots = new Uint32Array(2 * former.length)
    for (const slot of former) {
      if (slot === 0) continue
      const row = slot - 1
      let free = mix(versions.lowInode(row), versions.lowCtime(row)) & (slots.length - 1)
      while (slots[free] !== 0) free = (free + 1) & (slots.length - 1)
      slots[free] = slot
    }
    return slots
  }

  /** The last chunk, in which there is room for so many bytes behind `used`. */
  function roomFor(length: number): DataView {
    used = Math.ceil(used / SIZE_BYTES) * SIZE_BYTES
    const last = chunks.at(-1)
    if (last !== undefined && used + length <= last.byteLength) return last
    const chunk = new DataView(
      new ArrayBuffer(Math.max(CHUNK_BYTES, Math.ceil(length / SIZE_BYTES) * SIZE_BYTES)),
    )
    chunkBytes += chunk.byteLength
    chunks.push(chunk)
    sharedBytes = versions.bytes + chunkBytes + packer.bytes
    used = 0
    return chunk
  }

  /** Packs what is known of all values into a chunk, behind the sizes. */
  function packWhole(row: number, entries: WholeColumns, sizes: Uint32Array): void {
    const view = roomFor(sizes.byteLength + entries.length)
    if (sizes.length > 0) new Uint32Array(view.buffer, used, sizes.length).set(sizes)
    const at = used + sizes.byteLength
    const index = packer.pack(entries, view, at)
    if (index < 0) new Uint8Array(view.buffer, at, entries.length).set(entries)
    used = at + (index < 0 ? entries.length : bytesOfRow({ form: packer.form(index), view, at }))
    const last = index < 0 ? entries.length : FORM_BIT + index
    const word = WORDS * row
    words[word + 1] = chunks.length - 1
    words[word + 2] = at
    words[word + 3] = last
  }

  return {
    get size() {
      return size
    },
    get bytes() {
      return size * ROW_BYTES + sharedBytes
    },
    find(formatKey, version) {
      // So it is in the first query of a service, which asks for each of its files three times.
      if (size === 0) return -1
      const hash = hashOf(version)
      return (slotsOf(hash)[slotOf(hash, formatKey, version)] ?? 0) - 1
    },
    shapeOf,
    wholeOf(row) {
      const word = WORDS * row
      const view = chunks[words[word + 1] ?? 0]
      const at = words[word + 2] ?? 0
      const last = words[word + 3] ?? 0
      if (view === undefined) return NO_WHOLE_COLUMNS
      if (last >= FORM_BIT) return { form: packer.form(last - FORM_BIT), view, at }
      return new Uint8Array(view.buffer, at, last)
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
      packWhole(row, entriesOf(whole), sizes)
      words[WORDS * row] = indexOfShape(shape)
      versions.add(version)
      putSlot(hashOf(version), shape.formatKey, version, row)
    },
  }
}

function hashOf({ inode, ctimeNs }: FileVersion): number {
  return mix(Number(BigInt.asUintN(32, inode)), Number(BigInt.asUintN(32, ctimeNs)))
}

function partOf(hash: number): number {
  return hash >>> (32 - PART_BITS)
}

/** The bits of two numbers, so that near numbers are far from each other. */
function mix(a: number, b: number): number {
  const mixed = Math.imul(Math.imul(a, 0x9e37_79b1) ^ b, 0x85eb_ca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
