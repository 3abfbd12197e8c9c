import { memoize } from '../../../plan/memoize.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import type { FileVersion } from '../../../plan/source/version.ts'
import { putVersion, VERSION_NUMBERS } from '../../../plan/source/version-numbers.ts'
import type { WholeColumns } from '../../../plan/source/whole.ts'
import { ENTRY_BYTES } from '../../../plan/source/whole-entry.ts'

/**
 * What is learned of files of one folder, column by column in one buffer. A row is a file. Rows never change: another version of a file
 * is another row, in another block.
 */
export interface FileBlock {
  readonly count: number
  /** All of it, as it is stored and sent. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Five numbers of each version, in the order of `FileVersion`. */
  readonly versions: BigInt64Array
  /** Sizes of dimensions of all rows, one row after the other. */
  readonly sizes: Float64Array
  /** `WholeColumns` of all rows, one row after the other. */
  readonly entries: Uint8Array
  /** Indexes or ids of texts, row by row. Who writes a block says which. */
  readonly schemas: Uint32Array
  readonly layouts: Uint32Array
  /** Where the sizes, the entries and the name of each row end. */
  readonly sizeEnds: Uint32Array
  readonly entryEnds: Uint32Array
  readonly nameEnds: Uint32Array
  /** The names of the files in their folder, one after the other, in UTF-16. */
  readonly names: Uint16Array
}

/** A row that is to be written. */
export interface FileRow {
  readonly name: string
  readonly version: FileVersion
  readonly schema: number
  readonly layout: number
  readonly sizes: readonly number[]
  readonly whole: WholeColumns
}

/** Rows of a block that follow each other. */
export interface RowRun {
  readonly block: FileBlock
  readonly from: number
  readonly to: number
}

interface Counts {
  readonly files: number
  readonly sizes: number
  readonly entries: number
  /** UTF-16 code units of names. */
  readonly units: number
}

/** What a block begins with. Read in another byte order, it is another number. */
const MAGIC = 0x686c_6231
const HEADER_BYTES = 32
const VERSION_BYTES = 8 * VERSION_NUMBERS
/** The numbers of 32 bits that each row has. */
const WORDS = 5

export function blockOf(rows: readonly FileRow[]): FileBlock {
  const block = emptyBlock({
    files: rows.length,
    sizes: rows.reduce((sum, { sizes }) => sum + sizes.length, 0),
    entries: rows.reduce((sum, { whole }) => sum + entriesIn(whole), 0),
    units: rows.reduce((sum, { name }) => sum + name.length, 0),
  })
  const { versions, sizes, entries, schemas, layouts, sizeEnds, entryEnds, nameEnds, names } = block
  let [size, entry, unit] = [0, 0, 0]
  for (const [row, { name, version, schema, layout, sizes: ofRow, whole }] of rows.entries()) {
    putVersion(versions, row, version)
    schemas[row] = schema
    layouts[row] = layout
    sizes.set(ofRow, size)
    entries.set(whole.subarray(0, entriesIn(whole) * ENTRY_BYTES), entry * ENTRY_BYTES)
    for (let at = 0; at < name.length; at++) names[unit + at] = name.charCodeAt(at)
    sizeEnds[row] = size += ofRow.length
    entryEnds[row] = entry += entriesIn(whole)
    nameEnds[row] = unit += name.length
  }
  return block
}

/**
 * A block of the names and versions of files whose locations are equal before their names, which begin at `nameAt`. Of a search with many files
 * this is most of what main does for each of them, so it makes no object for one.
 */
export function blockOfNames(
  files: readonly Pick<FileRef, 'location' | 'version'>[],
  nameAt: number,
): FileBlock {
  let units = 0
  for (const { location } of files) units += location.length - nameAt
  const block = emptyBlock({ files: files.length, sizes: 0, entries: 0, units })
  const { versions, nameEnds, names } = block
  let [row, unit] = [0, 0]
  for (const { location, version } of files) {
    putVersion(versions, row, version)
    for (let at = nameAt; at < location.length; at++) names[unit++] = location.charCodeAt(at)
    nameEnds[row++] = unit
  }
  return block
}

function entriesIn(whole: WholeColumns): number {
  return Math.floor(whole.length / ENTRY_BYTES)
}

/** One block of the rows of others, in their order. */
export function copyRows(runs: readonly RowRun[]): FileBlock {
  const counts = { files: 0, sizes: 0, entries: 0, units: 0 }
  for (const { block, from, to } of runs) {
    counts.files += to - from
    counts.sizes += startOf(block.sizeEnds, to) - startOf(block.sizeEnds, from)
    counts.entries += startOf(block.entryEnds, to) - startOf(block.entryEnds, from)
    counts.units += startOf(block.nameEnds, to) - startOf(block.nameEnds, from)
  }
  const copy = emptyBlock(counts)
  let [row, size, entry, unit] = [0, 0, 0, 0]
  for (const { block, from, to } of runs) {
    copy.versions.set(
      block.versions.subarray(VERSION_NUMBERS * from, VERSION_NUMBERS * to),
      VERSION_NUMBERS * row,
    )
    copy.schemas.set(block.schemas.subarray(from, to), row)
    copy.layouts.set(block.layouts.subarray(from, to), row)
    const [sizeStart, sizeEnd] = [startOf(block.sizeEnds, from), startOf(block.sizeEnds, to)]
    const [entryStart, entryEnd] = [startOf(block.entryEnds, from), startOf(block.entryEnds, to)]
    const [unitStart, unitEnd] = [startOf(block.nameEnds, from), startOf(block.nameEnds, to)]
    copy.sizes.set(block.sizes.subarray(sizeStart, sizeEnd), size)
    copy.entries.set(
      block.entries.subarray(entryStart * ENTRY_BYTES, entryEnd * ENTRY_BYTES),
      entry * ENTRY_BYTES,
    )
    copy.names.set(block.names.subarray(unitStart, unitEnd), unit)
    for (let index = from; index < to; index++, row++) {
      copy.sizeEnds[row] = (block.sizeEnds[index] ?? 0) - sizeStart + size
      copy.entryEnds[row] = (block.entryEnds[index] ?? 0) - entryStart + entry
      copy.nameEnds[row] = (block.nameEnds[index] ?? 0) - unitStart + unit
    }
    size += sizeEnd - sizeStart
    entry += entryEnd - entryStart
    unit += unitEnd - unitStart
  }
  return copy
}

/** Reads a block that was stored or sent. Null: it is none. */
export function readBlock(stored: Uint8Array): FileBlock | null {
  if (stored.length < HEADER_BYTES) return null
  // Views on numbers of 64 bits begin at multiples of 8.
  const bytes = new Uint8Array(stored)
  const [magic, files = 0, sizes = 0, entries = 0, units = 0] = new Uint32Array(bytes.buffer, 0, WORDS)
  const counts = { files, sizes, entries, units }
  if (magic !== MAGIC || bytesOf(counts) !== bytes.length) return null
  const block = viewOf(bytes, counts)
  const areEnds =
    ascendTo(block.sizeEnds, sizes) && ascendTo(block.entryEnds, entries) && ascendTo(block.nameEnds, units)
  return areEnds ? block : null
}

/** The number before which a row begins, by the ends of all rows. */
export function startOf(ends: Uint32Array, row: number): number {
  return row === 0 ? 0 : (ends[row - 1] ?? 0)
}

/** What is known of all values of a file of a block. */
export function wholeOf({ entries, entryEnds }: FileBlock, row: number): WholeColumns {
  return entries.subarray(startOf(entryEnds, row) * ENTRY_BYTES, (entryEnds[row] ?? 0) * ENTRY_BYTES)
}

/** The sizes of dimensions of a file of a block. */
export function sizesOf({ sizes, sizeEnds }: FileBlock, row: number): readonly number[] {
  return [...sizes.subarray(startOf(sizeEnds, row), sizeEnds[row])]
}

/** Whether the versions of two rows are equal. They are compared as words of 32 bits, since each read of a longer number makes an object. */
export function isSameVersion(
  a: Pick<FileBlock, 'versions'>,
  rowOfA: number,
  b: Pick<FileBlock, 'versions'>,
  rowOfB: number,
): boolean {
  const [wordsOfA, wordsOfB] = [wordsOf(a.versions), wordsOf(b.versions)]
  for (let word = 2 * VERSION_NUMBERS - 1; word >= 0; word--)
    if (wordsOfA[2 * VERSION_NUMBERS * rowOfA + word] !== wordsOfB[2 * VERSION_NUMBERS * rowOfB + word])
      return false
  return true
}

const wordsOf = memoize(
  ({ buffer, byteOffset, length }: BigInt64Array) => new Uint32Array(buffer, byteOffset, 2 * length),
)

/** The names of all rows, in their order. */
export function namesOf(block: FileBlock | undefined): readonly string[] {
  if (block === undefined) return []
  const { names, nameEnds } = block
  const all = Buffer.from(names.buffer, names.byteOffset, names.byteLength).toString('utf16le')
  return Array.from(nameEnds, (end, row) => all.slice(startOf(nameEnds, row), end))
}

/** Compares the names of two rows by their code units: negative if the first is less. */
export function compareNames(a: FileBlock, rowOfA: number, b: FileBlock, rowOfB: number): number {
  const [fromA, fromB] = [startOf(a.nameEnds, rowOfA), startOf(b.nameEnds, rowOfB)]
  const lengthOfA = (a.nameEnds[rowOfA] ?? 0) - fromA
  const lengthOfB = (b.nameEnds[rowOfB] ?? 0) - fromB
  const common = Math.min(lengthOfA, lengthOfB)
  for (let at = 0; at < common; at++) {
    const difference = (a.names[fromA + at] ?? 0) - (b.names[fromB + at] ?? 0)
    if (difference !== 0) return difference
  }
  return lengthOfA - lengthOfB
}

/** The code units of the name of a row, each with its high byte first: such bytes sort as the names do. */
export function nameKey(block: FileBlock, row: number): Buffer {
  const units = block.names.slice(startOf(block.nameEnds, row), block.nameEnds[row])
  return Buffer.from(units.buffer).swap16()
}

/** As `nameKey`, of a name. */
export function keyOfName(name: string): Buffer {
  return Buffer.from(name, 'utf16le').swap16()
}

/** The name of which `nameKey` gave the key. */
export function nameOfKey(key: Buffer): string {
  return Buffer.from(key).swap16().toString('utf16le')
}

function ascendTo(ends: Uint32Array, last: number): boolean {
  let before = 0
  for (const end of ends) {
    if (end < before) return false
    before = end
  }
  return before === last
}

function bytesOf({ files, sizes, entries, units }: Counts): number {
  return HEADER_BYTES + files * (VERSION_BYTES + 4 * WORDS) + 8 * sizes + ENTRY_BYTES * entries + 2 * units
}

function emptyBlock(counts: Counts): FileBlock {
  const bytes = new Uint8Array(bytesOf(counts))
  const { files, sizes, entries, units } = counts
  new Uint32Array(bytes.buffer, 0, WORDS).set([MAGIC, files, sizes, entries, units])
  return viewOf(bytes, counts)
}

/** The columns of a block. Those of longer numbers come first, so that each lies at a multiple of the size of its numbers. */
function viewOf(
  bytes: Uint8Array<ArrayBuffer>,
  { files, sizes: sizeCount, entries: entryCount, units }: Counts,
): FileBlock {
  const { buffer } = bytes
  const sizesAt = HEADER_BYTES + files * VERSION_BYTES
  const entriesAt = sizesAt + 8 * sizeCount
  const wordsAt = entriesAt + ENTRY_BYTES * entryCount
  const words = (nth: number) => new Uint32Array(buffer, wordsAt + 4 * files * nth, files)
  return {
    count: files,
    bytes,
    versions: new BigInt64Array(buffer, HEADER_BYTES, VERSION_NUMBERS * files),
    sizes: new Float64Array(buffer, sizesAt, sizeCount),
    entries: new Uint8Array(buffer, entriesAt, ENTRY_BYTES * entryCount),
    schemas: words(0),
    layouts: words(1),
    sizeEnds: words(2),
    entryEnds: words(3),
    nameEnds: words(4),
    names: new Uint16Array(buffer, wordsAt + 4 * files * WORDS, units),
  }
}
