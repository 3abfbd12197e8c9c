import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Migrations } from '../../sqlite/migrate.ts'
import {
  closedOnError,
  type DatabaseKind,
  openDatabase,
  type SqliteDatabase,
} from '../../sqlite/open-database.ts'

const MOST_FIRST_CHANGES = 2 ** 47

const MIGRATIONS: Migrations = Object.freeze({
  firstVersion: 1,
  steps: [
    // 1: what is learned of files (learned-table.ts).
    `CREATE TABLE texts ( -- schemas and layouts, which many files share
      id INTEGER PRIMARY KEY,
      digest BLOB NOT NULL UNIQUE, -- 16 bytes of the SHA-256 of the text
      text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE files (
      id INTEGER PRIMARY KEY, -- a file that was written later has a greater one
      key BLOB NOT NULL UNIQUE, -- 16 bytes of the SHA-256 of format and location
      version TEXT NOT NULL, -- that of the file
      schema INTEGER NOT NULL, -- of texts
      layout INTEGER NOT NULL, -- of texts
      sizes TEXT NOT NULL, -- JSON: those that the layout leaves open
      whole BLOB NOT NULL, -- what is known of all values of columns
      needs_metadata INTEGER NOT NULL,
      checksum INTEGER NOT NULL -- CRC-32 of all other members
    ) STRICT;
    CREATE TABLE service (version TEXT NOT NULL) STRICT; -- the service whose readers have found it out`,
    // 2: NaN in arrays is null, and packed numbers may be unpacked in 32 bits: what was learned of them differs.
    'DELETE FROM files; DELETE FROM texts',
    // 3: columns of arrays have their attributes.
    'DELETE FROM files; DELETE FROM texts',
    // 4: no file needs a library for its metadata any more.
    'DELETE FROM files; DELETE FROM texts; ALTER TABLE files DROP COLUMN needs_metadata',
    // 5: many files of a folder are one row.
    `DROP TABLE files;
    DROP TABLE texts;
    CREATE TABLE texts ( -- schemas and layouts, which many files share
      id INTEGER PRIMARY KEY,
      digest BLOB NOT NULL UNIQUE, -- 16 bytes of the SHA-256 of the text
      text TEXT NOT NULL,
      checksum INTEGER NOT NULL -- CRC-32 of id and text
    ) STRICT;
    CREATE TABLE blocks ( -- of a folder, by the names of files: each has those before the first one of the next
      id INTEGER PRIMARY KEY, -- a block that was written later has a greater one
      folder BLOB NOT NULL, -- 16 bytes of the SHA-256 of format and location
      first BLOB NOT NULL, -- the name of its first file (file-block.ts)
      files INTEGER NOT NULL, -- how many it has
      data BLOB NOT NULL, -- the files
      checksum INTEGER NOT NULL, -- CRC-32 of folder, first and data
      UNIQUE (folder, first)
    ) STRICT`,
    // 6: the files of the dataset root, for their statistics (registry-table.ts).
    `CREATE TABLE walked (
      id INTEGER PRIMARY KEY,
      path TEXT NOT NULL UNIQUE, -- relative to the dataset root
      location TEXT NOT NULL, -- absolute, without symbolic links
      format TEXT NOT NULL, -- its id in listings
      version TEXT NOT NULL, -- that of the file
      state INTEGER NOT NULL, -- the index among FILE_STATES
      columns INTEGER,
      rows INTEGER,
      bytes INTEGER, -- of all columns when decoded, as estimated
      epoch INTEGER, -- the run in which it was analyzed or failed
      checksum INTEGER NOT NULL -- CRC-32 of all other members
    ) STRICT;
    CREATE INDEX waiting ON walked (id) WHERE state IN (0, 3); -- Pending, Stale
    CREATE TABLE last_run (epoch INTEGER NOT NULL) STRICT`,
    // 7: what is known of all files of a block, beside it. What there is is learned again.
    `DELETE FROM blocks; DELETE FROM texts; DELETE FROM walked; DELETE FROM last_run; DROP TABLE service;
    CREATE TABLE service (
      version TEXT NOT NULL, -- the service whose readers have found it out
      changes INTEGER NOT NULL -- another one after each transaction
    ) STRICT;
    CREATE TABLE summaries (
      folder BLOB NOT NULL, -- those of the block
      first BLOB NOT NULL,
      files INTEGER NOT NULL,
      digest BLOB NOT NULL, -- of names and versions (block-summary.ts)
      groups BLOB NOT NULL, -- what is known of files with a schema and a layout
      checksum INTEGER NOT NULL, -- CRC-32 of all other members
      PRIMARY KEY (folder, first)
    ) STRICT, WITHOUT ROWID`,
    // 8: what tables of crawlers were made of (crawled-table.ts).
    `CREATE TABLE crawled (
      id INTEGER PRIMARY KEY, -- a table that was written later has a greater one
      name TEXT NOT NULL UNIQUE, -- of the table, with the letters A to Z in lower case
      digest TEXT NOT NULL -- of the versions of its files, its statement, and what is stored of it
    ) STRICT`,
  ],
})

const LEARNED: DatabaseKind = Object.freeze({
  title: 'database of what is learned of files',
  migrations: MIGRATIONS,
  // Threads that look for files read it beside the one that writes it.
  isExclusive: false,
  synchronous: 'NORMAL',
})

/**
 * Opens the database of what is learned of files. What another version of the service has learned is dropped, since its readers may be
 * others. Throws `internal` or SQLite's error if it cannot be used.
 */
export function openLearnedDatabase(path: string, serviceVersion: string): SqliteDatabase {
  const database = openDatabase(path, LEARNED)
  closedOnError(database, () => requireVersion(database, serviceVersion))
  return database
}

/** Opens the database to read it beside its writer. Null: there is none that this version of the service has written. */
export function openLearnedReader(path: string, serviceVersion: string): SqliteDatabase | null {
  let database: SqliteDatabase | null = null
  try {
    database = new Database(path, { readonly: true, fileMustExist: true })
    if (database.prepare('SELECT version FROM service').pluck().get() === serviceVersion) return database
  } catch {
    // It has not been written yet, or is damaged, which its writer finds out.
  }
  database?.close()
  return null
}

/** Deletes the database and its log: it holds nothing that files do not tell again. No connection may have it open. */
export function deleteLearnedDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
}

function requireVersion(database: SqliteDatabase, version: string): void {
  const storedVersion = database.prepare('SELECT version FROM service').pluck().get()
  if (storedVersion === version) return
  database.transaction(() => {
    database.exec(
      'DELETE FROM blocks; DELETE FROM summaries; DELETE FROM texts; DELETE FROM walked; DELETE FROM last_run; DELETE FROM crawled; DELETE FROM service',
    )
    // Readers tell by the number of changes that this is another database.
    database
      .prepare('INSERT INTO service (version, changes) VALUES (?, ?)')
      .run(version, randomInt(MOST_FIRST_CHANGES))
  })()
}
