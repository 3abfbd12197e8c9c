import { quoteSqlName } from '../../../plan/statement/statement.ts'
import type { DataType, Schema } from '../../../plan/types/schema.ts'
import { createPostgresDialect } from '../postgres/postgres-dialect.ts'
import type { RemoteAddress } from '../remote-client.ts'
import type { Comparing } from './print-condition.ts'
import { isExactInServices, printServiceComparison } from './print-service-comparison.ts'

/** The SQL of a kind of remotes, for one table. */
export interface Dialect extends Comparing {
  /** A column of a list of SELECT, in the type that is read here. */
  readonly printColumn: (name: string) => string
  /** A column by which rows are ordered. Null, or absent: it is not certain that its values are ordered there as they are here. */
  readonly printOrdered?: (name: string) => string | null
}

/** The SQL of services of this kind, which is the same for all tables. */
export const SERVICE_DIALECT: Dialect = Object.freeze({
  printColumn: quoteSqlName,
  printComparison: printServiceComparison,
  isExact: isExactInServices,
})

/** The SQL in which a table of this schema is asked. */
export function dialectOf({ kind }: Pick<RemoteAddress, 'kind'>, { fields }: Schema): Dialect {
  if (kind === 'postgres') return createPostgresDialect(fields)
  const typesByName = new Map(fields.map(({ name, type }) => [name, type]))
  return {
    ...SERVICE_DIALECT,
    printOrdered(name) {
      const type = typesByName.get(name)
      return type !== undefined && isOrderedAlike(type) ? quoteSqlName(name) : null
    },
  }
}

/** Floats are not: services may tell −0.0 and 0.0 apart. Text is not: it may have a collation. */
function isOrderedAlike(type: DataType): boolean {
  return type.kind === 'int' || type.kind === 'date' || (type.kind === 'timestamp' && type.zone === null)
}
