import type { PreparedStatement } from '../../duckdb/prepare-statement.ts'
import type { PreparedScan } from '../../plan/prepare-scan.ts'

/** A plan, and the units of its sources that have to be read. */
export type PreparedQuery = PreparedScan | PreparedStatement
