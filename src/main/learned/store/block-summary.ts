import { hash } from 'node:crypto'
import { getOrMake } from '../../../plan/get-or-make.ts'
import type { WholeColumns } from '../../../plan/source/whole.ts'
import { ENTRY_BYTES } from '../../../plan/source/whole-entry.ts'
import { hullOf } from '../../../plan/source/whole-hull.ts'
import { type FileBlock, namesOf, sizesOf, wholeOf } from './file-block.ts'

/** What is known of the files of a block together, by which most queries need not read the block. */
export interface BlockSummary {
  /** As `digestOfFiles` gives it. */
  readonly digest: Buffer
  readonly groups: readonly FileGroup[]
}

/** The files of a block that have schema and layout in common. */
export interface FileGroup {
  readonly schema: number
  readonly layout: number
  readonly files: number
  /** What is known of all values of all of them (`hullOf`). */
  readonly whole: WholeColumns
  /** The sizes of dimensions that some of them have, and how many files have these. */
  readonly sizes: readonly SizesOfFiles[]
}

interface SizesOfFiles {
  readonly sizes: readonly number[]
  readonly files: number
}

/** A digest of the names of files, in their order. */
export function digestOfNames(names: readonly string[]): Buffer {
  return hash('sha256', Buffer.from(names.join('\0'), 'utf16le'), 'buffer')
}

/** A digest of files: of that of their names, and of their versions in the same order. Equal ones mean equal files. */
export function digestOfFiles(ofNames: Buffer, versions: BigInt64Array): Buffer {
  const ofVersions = Buffer.from(versions.buffer, versions.byteOffset, versions.byteLength)
  return hash('sha256', Buffer.concat([ofNames, ofVersions]), 'buffer')
}

export function summaryOf(block: FileBlock): BlockSummary {
  const rowsOfGroups = new Map<string, number[]>()
  for (let row = 0; row < block.count; row++) {
    const key = `${block.schemas[row]} ${block.layouts[row]}`
    getOrMake(rowsOfGroups, key, () => []).push(row)
  }
  return {
    digest: digestOfFiles(digestOfNames(namesOf(block)), block.versions),
    groups: [...rowsOfGroups.values()].map((rows) => groupOf(block, rows)),
  }
}

function groupOf(block: FileBlock, rows: readonly number[]): FileGroup {
  const [first = 0] = rows
  const bySizes = new Map<string, { readonly sizes: readonly number[]; files: number }>()
  for (const row of rows) {
    const sizes = sizesOf(block, row)
    getOrMake(bySizes, sizes.join(' '), () => ({ sizes, files: 0 })).files++
  }
  return {
    schema: block.schemas[first] ?? 0,
    layout: block.layouts[first] ?? 0,
    files: rows.length,
    whole: hullOf(rows.map((row) => wholeOf(block, row))),
    sizes: [...bySizes.values()],
  }
}

/**
 * The groups as they are stored: doubles, of which the first says how many there are, and the entries of all groups behind them. Of
 * each group: schema, layout, files, entries, and how many sizes follow; of each of these: files, the number of dimensions, and their sizes.
 */
export function packGroups(groups: readonly FileGroup[]): Uint8Array {
  const numbers: number[] = []
  for (const { schema, layout, files, whole, sizes } of groups) {
    numbers.push(schema, layout, files, whole.length / ENTRY_BYTES, sizes.length)
    for (const each of sizes) numbers.push(each.files, each.sizes.length, ...each.sizes)
  }
  const doubles = Float64Array.of(1 + numbers.length, ...numbers)
  return Buffer.concat([Buffer.from(doubles.buffer), ...groups.map(({ whole }) => whole)])
}

/** Reads groups whose checksum is right. */
export function unpackGroups(stored: Uint8Array): readonly FileGroup[] {
  const bytes = new Uint8Array(stored)
  const [count = 0] = new Float64Array(bytes.buffer, 0, 1)
  const numbers = new Float64Array(bytes.buffer, 0, count)
  const groups: FileGroup[] = []
  let at = 1
  let entry = count * numbers.BYTES_PER_ELEMENT
  while (at < count) {
    const [schema = 0, layout = 0, files = 0, entries = 0, tuples = 0] = numbers.subarray(at, at + 5)
    at += 5
    const sizes: SizesOfFiles[] = []
    for (let nth = 0; nth < tuples; nth++) {
      const [filesOfSizes = 0, dimensions = 0] = numbers.subarray(at, at + 2)
      sizes.push({ files: filesOfSizes, sizes: [...numbers.subarray(at + 2, at + 2 + dimensions)] })
      at += 2 + dimensions
    }
    const whole = bytes.subarray(entry, entry + entries * ENTRY_BYTES)
    entry += entries * ENTRY_BYTES
    groups.push({ schema, layout, files, whole, sizes })
  }
  return groups
}
