import { quoteSqlName } from '../../../plan/statement/statement.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import { createMysqlDialect } from '../mysql/mysql-dialect.ts'
import { createPostgresDialect } from '../postgres/postgres-dialect.ts'
import type { RemoteAddress } from '../remote-client.ts'
import type { PrintComparison } from './print-condition.ts'
import { printServiceComparison } from './print-service-comparison.ts'

/** The SQL of a kind of remotes, for one table. */
export interface Dialect {
  /** A column of a list of SELECT, in the type that is read here. */
  readonly printColumn: (name: string) => string
  readonly printComparison: PrintComparison
  /** Whether the nulls of a column are null here as well, and no other values are. Absent: those of all columns. */
  readonly hasSameNulls?: (name: string) => boolean
}

/** The SQL of services of this kind, which is the same for all tables. */
export const SERVICE_DIALECT: Dialect = Object.freeze({
  printColumn: quoteSqlName,
  printComparison: printServiceComparison,
})

/** The SQL in which a table of this schema is asked. */
export function dialectOf({ kind }: Pick<RemoteAddress, 'kind'>, { fields }: Schema): Dialect {
  switch (kind) {
    case 'service':
      return SERVICE_DIALECT
    case 'postgres':
      return createPostgresDialect(fields)
    case 'mysql':
      return createMysqlDialect(fields)
  }
}
