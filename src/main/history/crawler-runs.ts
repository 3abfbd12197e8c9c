import type { SqliteDatabase } from '../sqlite/open-database.ts'

/** A run of a crawler, as it is stored. */
export interface CrawlerRun {
  /** A UUID. */
  readonly id: string
  readonly crawler: string
  /** What has started it. */
  readonly trigger: 'request' | 'schedule'
  readonly isDry: boolean
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Null: it has not ended, or nobody knows when it has. */
  readonly endedAt: number | null
  readonly state: 'running' | 'done' | 'failed' | 'interrupted'
  /** How many it has looked at, and made or brought up to date. */
  readonly folders: number
  readonly files: number
  readonly tables: number
  /** As JSON. Null: it has none. */
  readonly report: string | null
  readonly error: string | null
}

/** A run as a row of the table. */
export interface CrawlerRunRow extends Omit<CrawlerRun, 'isDry'> {
  readonly isDry: number
}

export function toRunRow(run: CrawlerRun): CrawlerRunRow {
  return { ...run, isDry: run.isDry ? 1 : 0 }
}

function ofRunRow(row: CrawlerRunRow): CrawlerRun {
  return { ...row, isDry: row.isDry === 1 }
}

/** The runs of one crawler that are kept. */
const RUNS_PER_CRAWLER = 100

const COLUMNS =
  'id, crawler, trigger, isDry, startedAt, endedAt, state, folders, files, tables, report, error'

/** Prepares a function that stores a run, in place of what was stored of it before, and deletes those that are too many. */
export function prepareRunWrite(database: SqliteDatabase): (row: CrawlerRunRow) => void {
  const put = database.prepare<[CrawlerRunRow]>(
    `INSERT INTO crawler_runs (${COLUMNS})
    VALUES (@id, @crawler, @trigger, @isDry, @startedAt, @endedAt, @state, @folders, @files, @tables, @report, @error)
    ON CONFLICT (id) DO UPDATE SET startedAt = excluded.startedAt, endedAt = excluded.endedAt, state = excluded.state,
      folders = excluded.folders, files = excluded.files, tables = excluded.tables, report = excluded.report,
      error = excluded.error`,
  )
  const cut = database.prepare<[string, string, number]>(
    `DELETE FROM crawler_runs WHERE crawler = ? AND number <= (
      SELECT number FROM crawler_runs WHERE crawler = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
  )
  const write = database.transaction((row: CrawlerRunRow) => {
    put.run(row)
    cut.run(row.crawler, row.crawler, RUNS_PER_CRAWLER)
  })
  return write.immediate
}

/** Prepares a function that reads runs, those that began last first. Null: those of all crawlers. */
export function prepareRunList(database: SqliteDatabase): (crawler: string | null) => readonly CrawlerRun[] {
  const select = database.prepare<[string | null, string | null], CrawlerRunRow>(
    `SELECT ${COLUMNS} FROM crawler_runs WHERE ? IS NULL OR crawler = ? ORDER BY number DESC`,
  )
  return (crawler) => select.all(crawler, crawler).map(ofRunRow)
}

/** Says of each run that is stored as running that a restart has ended it. To be called before any run begins. */
export function endInterruptedRuns(database: SqliteDatabase): void {
  database
    .prepare<[string]>("UPDATE crawler_runs SET state = 'interrupted', error = ? WHERE state = 'running'")
    .run('The service ended while the crawler ran, and was started again.')
}
