import type { DirectoryChange } from '../../auth/directory/directory.ts'
import {
  rulesToJson,
  type StoredDirectory,
  type StoredRoleRow,
  type StoredUserRow,
} from '../../auth/directory/stored-directory.ts'
import type { LoginChange, SecretChange } from '../../secrets/secret.ts'
import { type StoredSecretRow, secretRow } from '../../secrets/stored-secrets.ts'
import type { SqliteDatabase } from '../../sqlite/open-database.ts'
import { type AtStep, STATEMENT_STEPS } from '../steps.ts'
import { prepareUploadChanges, type UploadChange } from './begun-uploads.ts'
import { type AttachedChange, prepareAttachedChanges } from './stored-attached.ts'
import { type CrawlerChange, prepareCrawlerChanges } from './stored-crawlers.ts'
import type { StoredChange, StoredDefinition } from './stored-form.ts'

/** A row of the table `definitions` (open-catalog.ts). */
export interface StoredRow extends StoredDefinition {
  readonly key: string
}

/** How many definitions are sent to main in one message: some megabytes, which main reads while the next ones are sent. */
const ROWS_PER_BATCH = 1000

/** All definitions, also those that cannot be read, in batches. */
export function* readRows(database: SqliteDatabase): Iterable<readonly StoredRow[]> {
  const select = database.prepare<[], StoredRow>(
    'SELECT key, statement, columns, extensions, owner, login, digest FROM definitions',
  )
  let batch: StoredRow[] = []
  for (const row of select.iterate())
    if (batch.push(row) === ROWS_PER_BATCH) {
      yield batch
      batch = []
    }
  yield batch
}

/** All users and roles, also those that cannot be read. */
export function readStoredDirectory(database: SqliteDatabase): StoredDirectory {
  const users = database.prepare<[], StoredUserRow>(
    `SELECT name, password, (SELECT json_group_array(role) FROM user_roles WHERE user = name) AS roles FROM users`,
  )
  const roles = database.prepare<[], StoredRoleRow>('SELECT name, rules FROM roles')
  return { users: users.all(), roles: roles.all() }
}

/** The tables of secrets: those that statements name, and the logins of tables. */
type SecretTable = 'secrets' | 'logins'

/** All secrets of a table, also those that cannot be decrypted. */
export function readStoredSecrets(database: SqliteDatabase, table: SecretTable): readonly StoredSecretRow[] {
  return database.prepare<[], StoredSecretRow>(`SELECT name, type, scope, keys, sealed FROM ${table}`).all()
}

function prepareSecretChanges(database: SqliteDatabase, table: SecretTable) {
  return {
    put: database.prepare<[StoredSecretRow]>(
      `INSERT OR REPLACE INTO ${table} (name, type, scope, keys, sealed) VALUES (@name, @type, @scope, @keys, @sealed)`,
    ),
    drop: database.prepare<[string]>(`DELETE FROM ${table} WHERE name = ?`),
  }
}

/** A change of a definition, of a user or a role, of a secret, of an upload, of a crawler, or of an attached catalog. */
export type CommittedChange =
  | StoredChange
  | DirectoryChange
  | SecretChange
  | LoginChange
  | UploadChange
  | CrawlerChange
  | AttachedChange

/** Prepares a function that makes the changes of one statement in one transaction. It throws SQLite's errors. */
export function prepareCommit(
  database: SqliteDatabase,
  atStep: AtStep,
): (changes: readonly CommittedChange[]) => void {
  const put = preparePuts(database)
  const commit = database.transaction((changes: readonly CommittedChange[]) => {
    atStep(STATEMENT_STEPS.begun)
    for (const change of changes) put(change)
    atStep(STATEMENT_STEPS.written)
  })
  return (changes) => {
    commit.immediate(changes)
    atStep(STATEMENT_STEPS.committed)
  }
}

/** Prepares a function that makes one change in the present transaction. */
function preparePuts(database: SqliteDatabase): (change: CommittedChange) => void {
  const put = database.prepare<
    [string, string, string | null, string | null, string | null, string | null, string]
  >(
    'INSERT OR REPLACE INTO definitions (key, statement, columns, extensions, owner, login, digest) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const drop = database.prepare<[string]>('DELETE FROM definitions WHERE key = ?')
  const putUser = database.prepare<[string, string | null]>(
    'INSERT OR REPLACE INTO users (name, password) VALUES (?, ?)',
  )
  const dropUser = database.prepare<[string]>('DELETE FROM users WHERE name = ?')
  const giveRole = database.prepare<[string, string]>('INSERT INTO user_roles (user, role) VALUES (?, ?)')
  const takeRoles = database.prepare<[string]>('DELETE FROM user_roles WHERE user = ?')
  const putRole = database.prepare<[string, string]>(
    'INSERT OR REPLACE INTO roles (name, rules) VALUES (?, ?)',
  )
  const dropRole = database.prepare<[string]>('DELETE FROM roles WHERE name = ?')
  const takeRole = database.prepare<[string]>('DELETE FROM user_roles WHERE role = ?')
  const secrets = prepareSecretChanges(database, 'secrets')
  const logins = prepareSecretChanges(database, 'logins')
  const changeUpload = prepareUploadChanges(database)
  const changeCrawler = prepareCrawlerChanges(database)
  const changeAttached = prepareAttachedChanges(database)
  return (change) => {
    switch (change.kind) {
      case 'put': {
        const { statement, columns, extensions, owner, login, digest } = change.stored
        put.run(change.key, statement, columns, extensions, owner, login, digest)
        return
      }
      case 'drop':
        drop.run(change.key)
        return
      case 'put_user': {
        const { name, password, roles } = change.user
        putUser.run(name, password)
        takeRoles.run(name)
        for (const role of roles) giveRole.run(name, role)
        return
      }
      case 'drop_user':
        takeRoles.run(change.name)
        dropUser.run(change.name)
        return
      case 'put_role':
        putRole.run(change.role.name, rulesToJson(change.role.rules))
        return
      case 'drop_role':
        takeRole.run(change.name)
        dropRole.run(change.name)
        return
      case 'put_secret':
        secrets.put.run(secretRow(change.secret))
        return
      case 'drop_secret':
        secrets.drop.run(change.name)
        return
      case 'put_login':
        logins.put.run(secretRow(change.login))
        return
      case 'drop_login':
        logins.drop.run(change.name)
        return
      case 'put_upload':
      case 'drop_upload':
        changeUpload(change)
        return
      case 'put_crawler':
      case 'drop_crawler':
        changeCrawler(change)
        return
      case 'put_attached':
      case 'drop_attached':
        changeAttached(change)
        return
    }
  }
}
