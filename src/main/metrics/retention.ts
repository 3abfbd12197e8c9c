import type { Catalog } from '../catalog/open.ts'

/** The part of pino's logger that is needed here. */
export interface ErrorLog {
  error(details: object, message: string): void
}

const DAY_MS = 86_400_000

const PASS_EVERY_MS = 3_600_000

/** Rows deleted in one go: a few milliseconds of the main thread. */
const DELETED_AT_ONCE = 200

/** Between two goes, for the main thread's other work. */
const PAUSE_MS = 50

/** Deletes old metrics, a few at a time, now and every hour. Holds no process open. Returns what stops it. */
export function startRetention(catalog: Catalog, retentionDays: number, log: ErrorLog): () => void {
  if (retentionDays === 0) return () => {}
  const deleteSome = catalog.prepare<[number, number]>(
    'DELETE FROM query_metrics WHERE rowid IN (SELECT rowid FROM query_metrics WHERE finished_at < ? LIMIT ?)',
  )
  let timer: NodeJS.Timeout
  const pass = (): void => {
    let deleted = 0
    try {
      deleted = deleteSome.run(Date.now() - retentionDays * DAY_MS, DELETED_AT_ONCE).changes
    } catch (error) {
      log.error({ err: error }, 'old query metrics could not be deleted')
    }
    schedule(deleted === DELETED_AT_ONCE ? PAUSE_MS : PASS_EVERY_MS)
  }
  const schedule = (ms: number): void => {
    timer = setTimeout(pass, ms).unref()
  }
  schedule(PAUSE_MS)
  return () => clearTimeout(timer)
}
