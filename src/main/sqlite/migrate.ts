import type Database from 'better-sqlite3'
import { ServiceError } from '../../plan/errors.ts'

/**
 * The steps that make the schema of a database, in order. A step that has been released is never edited: each change is a new
 * step at the end.
 */
export interface Migrations {
  /** The version after the first step, at least 1. `PRAGMA user_version` is that of the last step done, or 0. */
  readonly firstVersion: number
  readonly steps: readonly string[]
}

/** Takes the steps that are missing, in one transaction. Throws `internal` if the database is of a later version. */
export function migrate(database: Database.Database, { firstVersion, steps }: Migrations): void {
  const latest = firstVersion + steps.length - 1
  const run = database.transaction(() => {
    const version = Number(database.pragma('user_version', { simple: true }))
    if (version > latest)
      throw new ServiceError(
        'internal',
        `its schema (${version}) is newer than this version's (${latest}): start the version that has written it`,
      )
    const done = version === 0 ? 0 : version - firstVersion + 1
    for (const step of steps.slice(done)) database.exec(step)
    if (version < latest) database.pragma(`user_version = ${latest}`)
  })
  run.immediate()
}
