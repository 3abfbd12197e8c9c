/**
 * SQLite for the threads of tests, which does not wait for the disk: 8 ms each time on one machine, and a service that starts and stops waits some
 * ten times. What is written outlives `kill -9` all the same, and no test can take the power away. Services that tests start as programs wait.
 */
import Database from 'better-sqlite3'

export class UnsyncedDatabase extends Database {
  override pragma(source: string, options?: Database.PragmaOptions): unknown {
    if (source.startsWith('synchronous = ')) return undefined
    // Not before this one, which is that of the first access.
    if (source === 'journal_mode = WAL') super.pragma('synchronous = OFF')
    return super.pragma(source, options)
  }
}
