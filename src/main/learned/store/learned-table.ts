import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { firstThat } from '../../../plan/binary-search.ts'
import type { SqliteDatabase } from '../../sqlite/open-database.ts'
import { type BlockSummary, packGroups, summaryOf, unpackGroups } from './block-summary.ts'
import {
  compareNames,
  copyRows,
  type FileBlock,
  isSameVersion,
  keyOfName,
  nameKey,
  nameOfKey,
  type RowRun,
  readBlock,
} from './file-block.ts'
import { LEARNED_LIMITS } from './learned-limits.ts'
import { BLOCK_FILES, mergeBlocks, rowOf } from './merge-blocks.ts'
import type { AskedFiles, FoundFiles, FoundInFolder, PutFiles } from './messages.ts'

/** The blocks of files, and texts (open-learned.ts). Functions throw SQLite's errors. */
export interface LearnedTable {
  find(asked: readonly AskedFiles[]): FoundFiles
  /** Writes files in one transaction, in place of what is known of other versions of them. */
  put(put: PutFiles): void
}

interface BlockRow {
  readonly id: number
  readonly first: Buffer
  readonly files: number
  readonly data: Buffer
  readonly checksum: number
}

interface SummaryRow {
  readonly first: Buffer
  readonly files: number
  readonly digest: Buffer
  readonly groups: Buffer
  readonly checksum: number
}

interface TextRow {
  readonly id: number
  readonly text: string
  readonly checksum: number
}

/** The blocks of a folder have their files by names: each has those from its first one on, before the first one of the next block. */
export function createLearnedTable(database: SqliteDatabase, limits = LEARNED_LIMITS): LearnedTable {
  const lastUpTo = database.prepare<[Buffer, Buffer], BlockRow>(
    'SELECT id, first, files, data, checksum FROM blocks WHERE folder = ? AND first <= ? ORDER BY first DESC LIMIT 1',
  )
  const firstOf = database.prepare<[Buffer], BlockRow>(
    'SELECT id, first, files, data, checksum FROM blocks WHERE folder = ? ORDER BY first LIMIT 1',
  )
  const startAfter = database
    .prepare<[Buffer, Buffer], Buffer>(
      'SELECT first FROM blocks WHERE folder = ? AND first > ? ORDER BY first LIMIT 1',
    )
    .pluck()
  const insert = database.prepare<[Buffer, Buffer, number, Uint8Array, number]>(
    'INSERT INTO blocks (folder, first, files, data, checksum) VALUES (?, ?, ?, ?, ?)',
  )
  const remove = database.prepare<[number]>('DELETE FROM blocks WHERE id = ?')
  const oldest = database.prepare<[], StoredBlock & { readonly folder: Buffer }>(
    'SELECT id, folder, first, files FROM blocks ORDER BY id LIMIT 1',
  )
  const insertSummary = database.prepare<[Buffer, Buffer, number, Buffer, Uint8Array, number]>(
    'INSERT OR REPLACE INTO summaries (folder, first, files, digest, groups, checksum) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const removeSummary = database.prepare<[Buffer, Buffer]>(
    'DELETE FROM summaries WHERE folder = ? AND first = ?',
  )
  const countChange = database.prepare('UPDATE service SET changes = changes + 1')
  const textById = database.prepare<[number], TextRow>(TEXT_BY_ID)
  const textByDigest = database.prepare<[Buffer], TextRow>('SELECT * FROM texts WHERE digest = ?')
  const insertText = database.prepare<[number, Buffer, string, number]>(
    'INSERT INTO texts (id, digest, text, checksum) VALUES (?, ?, ?, ?)',
  )
  const numberOf = (sql: string): number => Number(database.prepare(sql).pluck().get())
  let files = numberOf('SELECT coalesce(sum(files), 0) FROM blocks')
  let texts = numberOf('SELECT count(*) FROM texts')
  let lastText = numberOf('SELECT coalesce(max(id), 0) FROM texts')

  const textOf = (id: number): string | null => soundText(id, textById.get(id))

  function idOf(text: string): number {
    const digest = digestOf(text)
    const storedText = textByDigest.get(digest)
    if (storedText !== undefined) return storedText.id
    texts++
    const id = ++lastText
    insertText.run(id, digest, text, checksumOfText(id, text))
    return id
  }

  /** Reads the part of a folder in which a name lies: that of the row of another block. */
  function readPart(folder: Buffer, asked: FileBlock, row: number): StoredPart {
    const stored = lastUpTo.get(folder, nameKey(asked, row))
    const end = startAfter.get(folder, stored?.first ?? NO_NAME)
    return { start: stored?.first ?? NO_NAME, end, block: stored ? blockOfRow(folder, stored) : null }
  }

  function removeStored(folder: Buffer, { id, first, files: count }: StoredBlock): void {
    remove.run(id)
    removeSummary.run(folder, first)
    files -= count
  }

  function insertBlock(folder: Buffer, block: FileBlock): void {
    const first = nameKey(block, 0)
    insert.run(folder, first, block.count, block.bytes, checksumOf(folder, first, block.bytes))
    const { digest, groups } = summaryOf(block)
    const packed = packGroups(groups)
    const checksum = checksumOfSummary(folder, first, block.count, digest, packed)
    insertSummary.run(folder, first, block.count, digest, packed, checksum)
    files += block.count
  }

  /** Writes the files from `from` on that belong into one stored block, and returns the index of the next. */
  function putSome(folder: Buffer, block: FileBlock, from: number): number {
    const stored = lastUpTo.get(folder, nameKey(block, from)) ?? firstOf.get(folder)
    const nextStart = stored && startAfter.get(folder, stored.first)
    const to =
      nextStart === undefined
        ? block.count
        : firstThat(from, block.count, (row) => nameKey(block, row).compare(nextStart) >= 0)
    const earlier = stored === undefined ? null : blockOfRow(folder, stored)
    // Files that follow a block that is half full need not have it written again.
    const isBehind =
      earlier !== null &&
      2 * earlier.count >= BLOCK_FILES &&
      compareNames(earlier, earlier.count - 1, block, from) < 0
    if (stored !== undefined && !isBehind) removeStored(folder, stored)
    for (const each of mergeBlocks(isBehind ? null : earlier, { block, from, to })) insertBlock(folder, each)
    return to
  }

  const putAll = database.transaction(({ texts: shared, folders }: PutFiles) => {
    if (texts + shared.length > limits.texts) {
      database.exec('DELETE FROM blocks; DELETE FROM summaries; DELETE FROM texts')
      texts = 0
      files = 0
    }
    const ids = shared.map(idOf)
    for (const { place, files: put } of folders) {
      const block = readBlock(put)
      if (block === null) throw new TypeError('files that are to be stored are no block')
      replaceTexts(block, ids)
      const folder = digestOf(place)
      for (let from = 0; from < block.count; ) from = putSome(folder, block, from)
    }
    while (files > limits.files) {
      const dropped = oldest.get()
      if (dropped === undefined) break
      removeStored(dropped.folder, dropped)
    }
    countChange.run()
  })

  function findInFolder({ place, files: bytes }: AskedFiles, isText: (id: number) => boolean): FoundInFolder {
    const folder = digestOf(place)
    const asked = readBlock(bytes)
    const indexes: number[] = []
    const runs: (RowRun & { to: number })[] = []
    let part: StoredPart | null = null
    let near = 0
    for (let index = 0; asked !== null && index < asked.count; index++) {
      if (part === null || !isInPart(part, asked, index)) {
        part = readPart(folder, asked, index)
        near = 0
      }
      const { block } = part
      const row = block && rowOf(block, asked, index, near)
      if (block === null || row === null) continue
      near = row + 1
      if (!isSameVersion(block, row, asked, index)) continue
      if (!isText(block.schemas[row] ?? 0) || !isText(block.layouts[row] ?? 0)) continue
      indexes.push(index)
      const last = runs.at(-1)
      if (last?.block === block && last.to === row) last.to = near
      else runs.push({ block, from: row, to: near })
    }
    return { indexes: Uint32Array.from(indexes), files: copyRows(runs).bytes }
  }

  return {
    find(asked) {
      const foundTexts = new Map<number, string>()
      const isText = (id: number): boolean => {
        if (foundTexts.has(id)) return true
        const text = textOf(id)
        if (text !== null) foundTexts.set(id, text)
        return text !== null
      }
      const folders = asked.map((each) => findInFolder(each, isText))
      return { texts: foundTexts, folders }
    },
    put: (put) => putAll.immediate(put),
  }
}

/** What tells a block that is stored. */
type StoredBlock = Pick<BlockRow, 'id' | 'first' | 'files'>

/** The names of a folder from that of a stored block on, before that of the next one. */
interface StoredPart {
  readonly start: Buffer
  /** Undefined: it has all names from `start` on. */
  readonly end: Buffer | undefined
  /** Null: no files are stored of it, or they cannot be read. */
  readonly block: FileBlock | null
}

/** Sorts before all names. */
const NO_NAME = Buffer.alloc(0)

/** Whether the name of a row of another block lies in a part. */
function isInPart({ start, end, block }: StoredPart, asked: FileBlock, row: number): boolean {
  if (block !== null && compareNames(block, 0, asked, row) <= 0) {
    if (compareNames(block, block.count - 1, asked, row) >= 0) return true
  }
  const name = nameKey(asked, row)
  return name.compare(start) >= 0 && (end === undefined || name.compare(end) < 0)
}

/** Puts ids of texts in place of their indexes. */
function replaceTexts({ schemas, layouts }: FileBlock, ids: readonly number[]): void {
  for (const column of [schemas, layouts])
    for (const [row, index] of column.entries()) column[row] = ids[index] ?? 0
}

/** What is learned of all files of folders, for threads that only read. Functions throw SQLite's errors. */
export interface LearnedFolders {
  /** It differs from what it was if anything was written since, or if the database is another one. */
  readonly changes: number
  /** The blocks of a folder by ascending names of its files. */
  summariesOf(place: string): readonly SummarizedBlock[]
  /** A block by the name of its first file. Null: it is not as it was written. */
  blockOf(place: string, first: string): FileBlock | null
  /** The text with this id. Null: it is not as it was written. */
  textOf(id: number): string | null
}

export interface SummarizedBlock {
  /** The name of its first file. It has files up to the first one of the next block. */
  readonly first: string
  readonly files: number
  /** Null: it is not as it was written. */
  readonly summary: BlockSummary | null
  /** Bytes that it takes, approximately. */
  readonly bytes: number
}

export function createLearnedFolders(database: SqliteDatabase): LearnedFolders {
  const ofFolder = database.prepare<[Buffer], SummaryRow>(
    'SELECT first, files, digest, groups, checksum FROM summaries WHERE folder = ? ORDER BY first',
  )
  const byFirst = database.prepare<[Buffer, Buffer], BlockRow>(
    'SELECT id, first, files, data, checksum FROM blocks WHERE folder = ? AND first = ?',
  )
  const textById = database.prepare<[number], TextRow>(TEXT_BY_ID)
  return {
    changes: Number(database.prepare('SELECT changes FROM service').pluck().get()),
    summariesOf(place) {
      const folder = digestOf(place)
      return ofFolder.all(folder).map((row) => {
        const { first, files, digest, groups, checksum } = row
        const isSound = checksumOfSummary(folder, first, files, digest, groups) === checksum
        return {
          first: nameOfKey(first),
          files,
          summary: isSound ? { digest, groups: unpackGroups(groups) } : null,
          bytes: first.length + digest.length + 2 * groups.length,
        }
      })
    },
    blockOf(place, first) {
      const folder = digestOf(place)
      const row = byFirst.get(folder, keyOfName(first))
      return row === undefined ? null : blockOfRow(folder, row)
    },
    textOf: (id) => soundText(id, textById.get(id)),
  }
}

const TEXT_BY_ID = 'SELECT * FROM texts WHERE id = ?'

/** A text, if it is as it was written. */
function soundText(id: number, row: TextRow | undefined): string | null {
  return row !== undefined && row.checksum === checksumOfText(id, row.text) ? row.text : null
}

/** A block, if it is as it was written: one that a damaged disk has changed must not leave out rows of its files. */
function blockOfRow(folder: Buffer, { first, data, checksum }: BlockRow): FileBlock | null {
  return checksumOf(folder, first, data) === checksum ? readBlock(data) : null
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16)
}

function checksumOf(folder: Buffer, first: Buffer, data: Uint8Array): number {
  return crc32(data, crc32(first, crc32(folder)))
}

function checksumOfSummary(
  folder: Buffer,
  first: Buffer,
  files: number,
  digest: Buffer,
  groups: Uint8Array,
): number {
  return crc32(groups, crc32(digest, crc32(String(files), crc32(first, crc32(folder)))))
}

function checksumOfText(id: number, text: string): number {
  return crc32(`${id} ${text}`)
}
