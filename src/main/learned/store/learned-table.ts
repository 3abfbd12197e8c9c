import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { SqliteDatabase } from '../../sqlite/open-database.ts'
import type { FoundFile, FoundFiles, PutFile, PutFiles, StoredKey } from './messages.ts'

/** The rows of files and texts (open-learned.ts). Functions throw SQLite's errors. */
export interface LearnedTable {
  find(keys: readonly StoredKey[]): FoundFiles
  /** Writes files in one transaction, in place of what is known of other versions of them. */
  put(put: PutFiles): void
}

export interface LearnedLimits {
  /** The most files. Beyond it those that were written first are dropped. */
  readonly files: number
  /** The most texts. Beyond it everything is dropped: so many schemas are no longer shared by many files. */
  readonly texts: number
}

const LEARNED_LIMITS: LearnedLimits = Object.freeze({ files: 1_000_000, texts: 65_536 })

/** How many files beyond the limit are dropped at once. */
const DROPPED = 1024

interface FileRow {
  readonly version: string
  readonly schema: number
  readonly layout: number
  readonly sizes: string
  readonly whole: Buffer
  readonly checksum: number
}

interface TextRow {
  readonly id: number
  readonly digest: Buffer
  readonly text: string
}

export function createLearnedTable(database: SqliteDatabase, limits = LEARNED_LIMITS): LearnedTable {
  const select = database.prepare<[Buffer], FileRow>('SELECT * FROM files WHERE key = ?')
  const textById = database.prepare<[number], TextRow>('SELECT * FROM texts WHERE id = ?')
  const textByDigest = database.prepare<[Buffer], TextRow>('SELECT * FROM texts WHERE digest = ?')
  const insertText = database.prepare<[Buffer, string]>('INSERT INTO texts (digest, text) VALUES (?, ?)')
  const replace = database.prepare<[Buffer, string, number, number, string, Uint8Array, number]>(
    'INSERT OR REPLACE INTO files (key, version, schema, layout, sizes, whole, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const drop = database.prepare<[number]>(
    'DELETE FROM files WHERE id IN (SELECT id FROM files ORDER BY id LIMIT ?)',
  )
  const countOf = (table: string): number =>
    Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
  let files = countOf('files')
  let texts = countOf('texts')

  /** A text, if it is as it was written. */
  function textOf(id: number): string | null {
    const row = textById.get(id)
    return row !== undefined && digestOf(row.text).equals(row.digest) ? row.text : null
  }

  function idOf(text: string): number {
    const digest = digestOf(text)
    const storedText = textByDigest.get(digest)
    if (storedText !== undefined) return storedText.id
    texts++
    return Number(insertText.run(digest, text).lastInsertRowid)
  }

  function putOne(file: PutFile, ids: readonly number[]): void {
    const { place, version, sizes, whole } = file
    const key = digestOf(place)
    const row = {
      version,
      schema: ids[file.schema] ?? 0,
      layout: ids[file.layout] ?? 0,
      sizes: JSON.stringify(sizes),
      whole,
    }
    if (select.get(key) === undefined) files++
    replace.run(key, version, row.schema, row.layout, row.sizes, whole, checksumOf(key, row))
  }

  const putAll = database.transaction(({ texts: shared, files: put }: PutFiles) => {
    if (texts + shared.length > limits.texts) {
      database.exec('DELETE FROM files; DELETE FROM texts')
      texts = 0
      files = 0
    }
    const ids = shared.map(idOf)
    for (const file of put) putOne(file, ids)
    if (files > limits.files) files -= drop.run(files - limits.files + DROPPED).changes
  })

  return {
    find(keys) {
      const fileEntries: FoundFile[] = []
      const wholes: Buffer[] = []
      const textById = new Map<number, string>()
      const isKnown = (id: number): boolean => {
        const text = textById.get(id) ?? textOf(id)
        if (text !== null) textById.set(id, text)
        return text !== null
      }
      for (const [index, { place, version }] of keys.entries()) {
        const key = digestOf(place)
        const row = select.get(key)
        if (row === undefined || row.version !== version || row.checksum !== checksumOf(key, row)) continue
        if (!isKnown(row.schema) || !isKnown(row.layout)) continue
        const { schema, layout, whole } = row
        const sizes = JSON.parse(row.sizes) as readonly number[]
        fileEntries.push({
          index,
          schema,
          layout,
          sizes,
          wholeBytes: whole.length,
        })
        wholes.push(whole)
      }
      return { texts: textById, files: fileEntries, wholes: Buffer.concat(wholes) }
    },
    put: (put) => putAll.immediate(put),
  }
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16)
}

/** A row that a damaged disk has changed must not leave out rows of its file. */
function checksumOf(
  key: Buffer,
  row: Omit<FileRow, 'whole' | 'checksum'> & { readonly whole: Uint8Array },
): number {
  const { version, schema, layout, sizes, whole } = row
  return crc32(whole, crc32(JSON.stringify([version, schema, layout, sizes]), crc32(key)))
}
