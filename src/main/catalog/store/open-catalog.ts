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
    // 4: users, roles and rules (auth/directory/stored-directory.ts).
    `CREATE TABLE users (
      name TEXT PRIMARY KEY,
      password TEXT -- the hash as a PHC string. Null: nobody can log in
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE roles (
      name TEXT PRIMARY KEY,
      rules TEXT NOT NULL -- JSON
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE user_roles (
      user TEXT NOT NULL,
      role TEXT NOT NULL,
      PRIMARY KEY (user, role)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX users_of_roles ON user_roles (role);`,
    // 5: uploads in parts (begun-uploads.ts).
    `CREATE TABLE uploads (
      id TEXT PRIMARY KEY,
      path TEXT NOT NULL,
      replaces INTEGER NOT NULL, -- 0 or 1
      parts INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      lastBytes INTEGER NOT NULL,
      changedAt INTEGER NOT NULL -- milliseconds since 1970
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE upload_owner (owner TEXT NOT NULL) STRICT;
    INSERT INTO upload_owner VALUES (lower(hex(randomblob(4))));`,
    // 6: extensions of tables and views.
    'ALTER TABLE definitions ADD COLUMN extensions TEXT; -- JSON. Null: there are none',
    // 7: persistent secrets (secrets/stored-secrets.ts).
    `CREATE TABLE secrets (
      name TEXT PRIMARY KEY,
      type TEXT NOT NULL,
      scope TEXT,
      keys TEXT NOT NULL, -- JSON
      sealed TEXT NOT NULL -- the values, encrypted, in base64
    ) STRICT, WITHOUT ROWID;`,
    // 8: crawlers (stored-crawlers.ts), and which of them has made a table.
    `CREATE TABLE crawlers (
      name TEXT PRIMARY KEY,
      statement TEXT NOT NULL -- as it is printed
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE definitions ADD COLUMN owner TEXT; -- the name of a crawler. Null: a statement has made it`,
    // 9: persistent attached catalogs (stored-attached.ts).
    `CREATE TABLE attached (
      key TEXT PRIMARY KEY, -- the name with the letters A to Z in lower case
      name TEXT NOT NULL,
      address TEXT NOT NULL, -- JSON
      secret TEXT, -- the name of a secret. Null: it is asked without a login
      tables TEXT NOT NULL -- JSON
    ) STRICT, WITHOUT ROWID;`,
    // 10: logins in the options of tables, as secrets are stored, and which table has which.
    `CREATE TABLE logins (
      name TEXT PRIMARY KEY,
      type TEXT NOT NULL,
      scope TEXT,
      keys TEXT NOT NULL, -- JSON
      sealed TEXT NOT NULL -- the values, encrypted, in base64
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE definitions ADD COLUMN login TEXT; -- the name of a login. Null: it has none of its own`,
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
    if (isMoved) atStep(MOVE_STEPS.created)
    closedOnError(database, () => migrate(database, MIGRATIONS))
    return database
  })
}

function connectAlone(path: string): SqliteDatabase {
  return connect(path, { isExclusive: true, synchronous: 'FULL' })
}
