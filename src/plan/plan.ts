import type { SourceScan } from './scan.ts'
import type { Operator } from './statement/statement.ts'
import type { Finish } from './task/finish.ts'
import type { Schema } from './types/schema.ts'

/** A bound query. It is frozen and cloneable, and what EXPLAIN prints. Units are cut and pruned when it runs. */
export type Plan = ScanPlan | StatementPlan

/** A query over the rows of one scan, which the core runs. */
export interface ScanPlan extends SourceScan {
  readonly engine: 'core'
  readonly finish: Finish
  readonly output: Schema
  readonly offset: number
  /** Infinity: there is no limit. */
  readonly limit: number
}

/** A statement that DuckDB runs in one worker, over scans that the core decodes and filters. */
export interface StatementPlan {
  readonly engine: 'duckdb'
  readonly sql: string
  /** Why the core does not run it, for EXPLAIN. Null: the service has written it. */
  readonly reason: string | null
  /** The scans in the order in which DuckDB bound them. `operators` refers to them by index. */
  readonly scans: readonly SourceScan[]
  readonly operators: Operator
  readonly output: Schema
}
