import { quoteSqlName } from '../../../plan/statement/statement.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import { createPostgresDialect } from '../postgres/postgres-dialect.ts'
import type { RemoteAddress } from '../remote-client.ts'
import type { PrintComparison } from './print-condition.ts'
import { printServiceComparison } from './print-service-comparison.ts'

/** The SQL of a kind of remotes, for one table. */
export interface Dialect {
  /** A column of a list of SELECT, in the type that is read here. */
  readonly printColumn: (name: string) => string
  readonly printComparison: PrintComparison
}

/** The SQL of services of this kind, which is the same for all tables. */
export const SERVICE_DIALECT: Dialect = Object.freeze({
  printColumn: quoteSqlName,
  printComparison: printServiceComparison,
})

/** The SQL in which a table of this schema is asked. */
export function dialectOf({ kind }: Pick<RemoteAddress, 'kind'>, { fields }: Schema): Dialect {
  return kind === 'postgres' ? createPostgresDialect(fields) : SERVICE_DIALECT
}
