/**
 * The catalog's schema, one step after the other; `PRAGMA user_version` is the number of steps done. A step that has
 * been released is never edited: a change is a new step at the end.
 */
export const MIGRATIONS: readonly string[] = Object.freeze([
  // 1: metrics of finished queries (http-api.md §5.4). JSON columns hold JSON text.
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
])
