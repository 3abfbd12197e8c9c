import { type Migrations, migrate } from '../../sqlite/migrate.ts'
import { closedOnError, connect, openedAs, type SqliteDatabase } from '../../sqlite/open-database.ts'
import { type AtStep, MOVE_STEPS } from '../steps.ts'
import { moveMetrics } from './move-metrics.ts'
import type { StorePaths } from './paths.ts'

/** Versions 1 and 2 had metrics alone (move-metrics.ts). */
const MIGRATIONS: Migrations = Object.freeze({
  firstVersion: 3,
  steps: [
    // 3: definitions of tables and views (stored-form.ts).
    `CREATE TABLE definitions (
      key TEXT PRIMARY KEY, -- the name with the letters A to Z in lower case
      statement TEXT NOT NULL, -- as it is printed
      columns TEXT, -- JSON. Null: they are not known
      digest TEXT NOT NULL -- SHA-256 of statement and columns, in hexadecimal
    ) STRICT;`,
  ],
})

/**
 * Opens the database of the catalog for this process alone, and creates it if there is none. Where it has the metrics of an
 * earlier version, they become a database of their own first. A commit survives a loss of power. Throws `internal` when the file
 * cannot be used, is in use by another service, or was written by a later version.
 */
export function openCatalogDatabase(paths: StorePaths, atStep: AtStep): SqliteDatabase {
  return openedAs(paths.catalog, 'catalog', () => {
    const first = connectAlone(paths.catalog)
    const isMoved = closedOnError(first, () => moveMetrics(first, paths, atStep))
    const database = isMoved ? connectAlone(paths.catalog) : first
    if (isMoved) atStep(MOVE_STEPS.made)
    closedOnError(database, () => migrate(database, MIGRATIONS))
    return database
  })
}

function connectAlone(path: string): SqliteDatabase {
  return connect(path, { isExclusive: true, synchronous: 'FULL' })
}
