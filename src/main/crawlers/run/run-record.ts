import type { CrawlerRun } from '../../history/crawler-runs.ts'

/** A run as routes give it. */
export function runRecord(run: CrawlerRun) {
  return {
    run_id: run.id,
    crawler: run.crawler,
    trigger: run.trigger,
    dry_run: run.isDry,
    state: run.state,
    started_at: new Date(run.startedAt),
    duration_ms: durationOf(run),
    folders: run.folders,
    files: run.files,
    tables: run.tables,
    report: run.report === null ? null : (JSON.parse(run.report) as unknown),
    error: run.error,
  }
}

/** The values of a run in the columns of `system.crawler_runs`. */
export function runRow(run: CrawlerRun): readonly (string | number | boolean | null)[] {
  return [
    run.id,
    run.crawler,
    run.trigger,
    run.isDry,
    run.state,
    run.startedAt,
    durationOf(run),
    run.folders,
    run.files,
    run.tables,
    run.report,
    run.error,
  ]
}

/** Milliseconds. Null: the run goes on, or nobody knows when it has ended. */
function durationOf({ startedAt, endedAt }: CrawlerRun): number | null {
  return endedAt === null ? null : endedAt - startedAt
}
