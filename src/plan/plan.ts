import type { ConstantExpression } from './expression.ts'
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
  /** The subqueries whose values are constants of the plan, in the order of their numbers. They run before it. Absent: there are none. */
  readonly subqueries?: readonly PlannedSubquery[]
}

/** A query whose single value is a constant of another one. */
export interface PlannedSubquery {
  readonly plan: ScanPlan
  /** Its value. In a plan that is not run it is null. */
  readonly constant: ConstantExpression
  /** Whether it has been run. */
  readonly isRun: boolean
}

/** A plan, and those of its subqueries at all depths. */
export function withSubplans(plan: ScanPlan): readonly ScanPlan[] {
  return [plan, ...(plan.subqueries ?? []).flatMap((subquery) => withSubplans(subquery.plan))]
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
