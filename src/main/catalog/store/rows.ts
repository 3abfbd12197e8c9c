import type { SqliteDatabase } from '../../sqlite/open-database.ts'
import { type AtStep, STATEMENT_STEPS } from '../steps.ts'
import type { StoredChange, StoredDefinition } from './stored-form.ts'

/** A row of the table `definitions` (open-catalog.ts). */
export interface StoredRow extends StoredDefinition {
  readonly key: string
}

/** How many definitions are sent to main in one message: some megabytes, which main reads while the next ones are sent. */
const ROWS_PER_BATCH = 1000

/** All definitions, also those that cannot be read, in batches. */
export function* readRows(database: SqliteDatabase): Iterable<readonly StoredRow[]> {
  const select = database.prepare<[], StoredRow>('SELECT key, statement, columns, digest FROM definitions')
  let batch: StoredRow[] = []
  for (const row of select.iterate())
    if (batch.push(row) === ROWS_PER_BATCH) {
      yield batch
      batch = []
    }
  yield batch
}

/** Prepares a function that makes the changes of one statement in one transaction. It throws SQLite's errors. */
export function prepareCommit(
  database: SqliteDatabase,
  atStep: AtStep,
): (changes: readonly StoredChange[]) => void {
  const put = database.prepare<[string, string, string | null, string]>(
    'INSERT OR REPLACE INTO definitions (key, statement, columns, digest) VALUES (?, ?, ?, ?)',
  )
  const drop = database.prepare<[string]>('DELETE FROM definitions WHERE key = ?')
  const commit = database.transaction((changes: readonly StoredChange[]) => {
    atStep(STATEMENT_STEPS.begun)
    for (const change of changes)
      if (change.kind === 'drop') drop.run(change.key)
      else put.run(change.key, change.stored.statement, change.stored.columns, change.stored.digest)
    atStep(STATEMENT_STEPS.written)
  })
  return (changes) => {
    commit.immediate(changes)
    atStep(STATEMENT_STEPS.committed)
  }
}
