import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { ServiceError } from '../../../plan/errors.ts'
import type { SqliteDatabase } from '../../sqlite/open-database.ts'
import { type AtStep, MOVE_STEPS } from '../steps.ts'
import type { StorePaths } from './paths.ts'

/** The versions of the schema in which the catalog's file had metrics, and no definitions. */
const METRICS_VERSIONS: readonly unknown[] = [1, 2]

/**
 * If this is the database of an earlier version, makes it that of the metrics, closes it, and returns true. The file gets another name, so that no row is
 * copied and no space is needed. It stays locked meanwhile: a service that starts now finds either a locked file or none. Throws
 * `internal` if there is a database of metrics already.
 */
export function moveMetrics(
  database: SqliteDatabase,
  { catalog, metrics }: StorePaths,
  atStep: AtStep,
): boolean {
  if (!METRICS_VERSIONS.includes(database.pragma('user_version', { simple: true }))) return false
  atStep(MOVE_STEPS.locked)
  if (existsSync(metrics))
    throw new ServiceError(
      'internal',
      `it has the metrics of an earlier version, and there is ${metrics} as well: move one of the two away`,
    )
  database.pragma('journal_mode = DELETE')
  // Without a log, only a transaction takes the lock, which this connection then keeps.
  database.exec('BEGIN EXCLUSIVE; COMMIT')
  // The index of the log of a process that was killed. Only connections that share the file use it.
  rmSync(`${catalog}-shm`, { force: true })
  atStep(MOVE_STEPS.merged)
  renameSync(catalog, metrics)
  atStep(MOVE_STEPS.renamed)
  syncFolder(dirname(metrics))
  atStep(MOVE_STEPS.synced)
  database.close()
  return true
}

/** Returns when the names in a folder are on the disk. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
