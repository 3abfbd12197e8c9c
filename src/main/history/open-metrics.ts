import type { Migrations } from '../sqlite/migrate.ts'
import { type DatabaseKind, openDatabase, type SqliteDatabase } from '../sqlite/open-database.ts'

export const METRICS_MIGRATIONS: Migrations = Object.freeze({
  firstVersion: 1,
  steps: [
    // 1: metrics of finished queries (docs/reference/http.md). JSON columns hold JSON text.
    `CREATE TABLE query_metrics (
      query_id TEXT PRIMARY KEY,
      username TEXT NOT NULL,
      finished_at INTEGER NOT NULL, -- milliseconds since 1970
      query TEXT NOT NULL, -- JSON
      input_rows INTEGER NOT NULL,
      input_bytes INTEGER NOT NULL,
      result_num_rows INTEGER NOT NULL,
      result_size_in_bytes INTEGER NOT NULL,
      execution_time_ms INTEGER NOT NULL,
      file_paths TEXT NOT NULL, -- JSON
      parsed_logical_plan TEXT NOT NULL, -- JSON
      optimized_logical_plan TEXT NOT NULL, -- JSON
      node_metrics TEXT NOT NULL, -- JSON
      stage_times_ms TEXT NOT NULL -- JSON
    ) STRICT;
    CREATE INDEX query_metrics_finished_at ON query_metrics (finished_at);`,

    // 2: shared texts of metrics. Where `…_base` is not null, the column beside it has the numbers in which its text differs
    // from that row of metrics_texts (numbers.ts). Rows written before this step have whole texts. There are no foreign
    // keys, as each deletion of a text would search all rows for references.
    `CREATE TABLE metrics_texts (
      id INTEGER PRIMARY KEY,
      template_digest BLOB NOT NULL UNIQUE, -- 16 bytes of the SHA-256 of the text with 0 for each number
      reference_count INTEGER NOT NULL, -- of columns of query_metrics
      text TEXT NOT NULL -- that of the first record with this template
    ) STRICT;
    ALTER TABLE query_metrics ADD COLUMN query_base INTEGER;
    ALTER TABLE query_metrics ADD COLUMN file_paths_base INTEGER;
    ALTER TABLE query_metrics ADD COLUMN parsed_logical_plan_base INTEGER;
    ALTER TABLE query_metrics ADD COLUMN optimized_logical_plan_base INTEGER;
    ALTER TABLE query_metrics ADD COLUMN node_metrics_base INTEGER;
    ALTER TABLE query_metrics ADD COLUMN stage_times_ms_base INTEGER;`,

    // 3: the source that vouches for the user's name (auth/principal.ts). Names from two sources are two users. Before this step there
    // were the super-user and callers without credentials alone.
    `ALTER TABLE query_metrics ADD COLUMN user_source TEXT NOT NULL DEFAULT 'configuration';
    UPDATE query_metrics SET user_source = 'anonymous' WHERE username = 'anonymous';`,

    // 4: runs of crawlers (crawler-runs.ts), in the order in which they began.
    `CREATE TABLE crawler_runs (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      crawler TEXT NOT NULL,
      trigger TEXT NOT NULL, -- 'request' or 'schedule'
      isDry INTEGER NOT NULL, -- 0 or 1
      startedAt INTEGER NOT NULL, -- milliseconds since 1970
      endedAt INTEGER,
      state TEXT NOT NULL, -- 'running', 'done', 'failed' or 'interrupted'
      folders INTEGER NOT NULL,
      files INTEGER NOT NULL,
      tables INTEGER NOT NULL,
      report TEXT, -- JSON
      error TEXT
    ) STRICT;
    CREATE INDEX crawler_runs_crawler ON crawler_runs (crawler, number);`,
  ],
})

const METRICS: DatabaseKind = Object.freeze({
  title: 'database of the metrics',
  migrations: METRICS_MIGRATIONS,
  isExclusive: false,
  synchronous: 'NORMAL',
})

/**
 * Opens the database of the metrics, creates it if there is none, and migrates its schema. A commit survives `kill -9`. Throws
 * `internal` when the file cannot be used, or was written by a later version.
 */
export function openMetricsDatabase(path: string): SqliteDatabase {
  return openDatabase(path, METRICS)
}
