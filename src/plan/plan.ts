import type { SourceScan } from './scan.ts'
import type { Operator } from './statement/statement.ts'
import type { Finish } from './task/finish.ts'
import type { Schema } from './types/schema.ts'

/** A query ready to run: frozen, cloneable, printed by EXPLAIN. Units are cut and pruned when it runs. */
export type Plan = ScanPlan | StatementPlan

/** What the core makes of the rows of one scan. */
export interface ScanPlan extends SourceScan {
  readonly engine: 'core'
  readonly finish: Finish
  readonly output: Schema
  readonly offset: number
  /** Infinity: none. */
  readonly limit: number
}

/** A statement that DuckDB runs in one worker over scans, which the core decodes and filters. */
export interface StatementPlan {
  readonly engine: 'duckdb'
  readonly sql: string
  /** Why the core does not run it, for EXPLAIN; null: the service wrote it. */
  readonly reason: string | null
  /** In the order in which DuckDB bound them; `operators` refers to them. */
  readonly scans: readonly SourceScan[]
  readonly operators: Operator
  readonly output: Schema
}
