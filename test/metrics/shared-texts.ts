import type { SqliteDatabase } from '../../src/main/sqlite/open-database.ts'

const BASES = [
  'query_base',
  'file_paths_base',
  'parsed_logical_plan_base',
  'optimized_logical_plan_base',
  'node_metrics_base',
  'stage_times_ms_base',
]

/** Texts that records share. */
export function sharedTexts(database: SqliteDatabase): number {
  return Number(database.prepare('SELECT count(*) FROM metrics_texts').pluck().get())
}

/** Shared texts that no record refers to or whose references are miscounted, and references to texts that are gone. */
export function faults(database: SqliteDatabase): unknown[] {
  const references = BASES.map((base) => `SELECT ${base} AS base FROM query_metrics`).join(' UNION ALL ')
  return database
    .prepare(
      `SELECT id, reference_count, base, counted
      FROM metrics_texts
      FULL JOIN (SELECT base, count(*) AS counted FROM (${references}) WHERE base IS NOT NULL GROUP BY base)
      ON base = id
      WHERE reference_count IS NOT counted`,
    )
    .all()
}
