import type { CrawlReport } from '../walk/crawl-request.ts'

/** What a run of a crawler has done, or a dry run would do. Names of tables are in the order of their groups. */
export interface RunReport {
  readonly crawler: string
  readonly isDry: boolean
  /** How many tables the files make. */
  readonly discovered: number
  readonly created: readonly string[]
  /** Tables of this crawler, whether or not anything about them has changed. */
  readonly updated: readonly string[]
  /** Names that something else has. */
  readonly skipped: readonly string[]
  readonly failed: readonly (readonly [table: string, message: string])[]
  /** Files that listings have and no table has. */
  readonly skippedFiles: number
  /** Tables of this crawler of which no file is there any more. They stay. */
  readonly vanished: readonly string[]
  /** What could not be read, by reason. */
  readonly unread: CrawlReport['unread']
}

/** A report as routes give it. */
export function reportRecord(report: RunReport) {
  return {
    crawler: report.crawler,
    discovered: report.discovered,
    created: report.created,
    updated: report.updated,
    skipped: report.skipped,
    failed: report.failed,
    skipped_files: report.skippedFiles,
    vanished: report.vanished,
    unread: report.unread,
    dry_run: report.isDry,
  }
}
