import { quoteSqlName } from '../../../plan/statement/statement.ts'
import { type DataType, type Field, field, type Schema } from '../../../plan/types/schema.ts'
import { createMysqlDialect } from '../mysql/mysql-dialect.ts'
import { createPostgresDialect } from '../postgres/postgres-dialect.ts'
import type { RemoteAddress } from '../remote-client.ts'
import type { Comparing } from './print-condition.ts'
import { isExactInServices, printServiceComparison } from './print-service-comparison.ts'
import type { PrintedAggregate, RemoteAggregate } from './remote-aggregate.ts'

/** The SQL of a kind of remotes, for one table. */
export interface Dialect extends Comparing {
  /** A column of a list of SELECT, in the type that is read here. */
  readonly printColumn: (name: string) => string
  /** A column by which rows are ordered. Null, or absent: it is not certain that its values are ordered there as they are here. */
  readonly printOrdered?: (name: string) => string | null
  /** NULLS FIRST and NULLS LAST are no words there: nulls are before the least value. */
  readonly areNullsLeast?: boolean
  /** A column by which rows are grouped. Null, or absent: it is not certain that the same values are equal there. */
  readonly printGroupKey?: (name: string) => string | null
  /** An aggregate with its field in the answer. Null, or absent: it is not certain that it is the same there. */
  readonly printAggregate?: (aggregate: RemoteAggregate) => PrintedAggregate | null
}

/** The SQL of services of this kind, which is the same for all tables. */
export const SERVICE_DIALECT: Dialect = Object.freeze({
  printColumn: quoteSqlName,
  printComparison: printServiceComparison,
  isExact: isExactInServices,
})

/** The SQL in which a table of this schema is asked. */
export function dialectOf({ kind }: Pick<RemoteAddress, 'kind'>, { fields }: Schema): Dialect {
  switch (kind) {
    case 'postgres':
      return createPostgresDialect(fields)
    case 'mysql':
      return createMysqlDialect(fields)
    case 'service':
      return createServiceDialect(fields)
  }
}

function createServiceDialect(fields: readonly Field[]): Dialect {
  const typesByName = new Map(fields.map(({ name, type }) => [name, type]))
  return {
    ...SERVICE_DIALECT,
    printOrdered: printOfType(isOrderedAlike),
    printGroupKey: printOfType(
      (type) => isOrderedAlike(type) || type.kind === 'bool' || type.kind === 'utf8',
    ),
    printAggregate(aggregate) {
      if (aggregate.kind === 'count_rows') return { text: 'count(*)', field: COUNT }
      const { kind, column } = aggregate
      const type = typesByName.get(column)
      if (type === undefined) return null
      const text = `${kind}(${quoteSqlName(column)})`
      if (kind === 'count') return { text, field: COUNT }
      if (kind === 'sum')
        return type.kind === 'int' && type.signed ? { text: `CAST(${text} AS BIGINT)`, field: COUNT } : null
      return isOrderedAlike(type) ? { text, field: field(column, type) } : null
    },
  }

  function printOfType(isRight: (type: DataType) => boolean): (name: string) => string | null {
    return (name) => {
      const type = typesByName.get(name)
      return type !== undefined && isRight(type) ? quoteSqlName(name) : null
    }
  }
}

const COUNT: Field = field('count', { kind: 'int', bits: 64, signed: true })

/** Floats are not: services may tell −0.0 and 0.0 apart. Text is not: it may have a collation. */
function isOrderedAlike(type: DataType): boolean {
  return type.kind === 'int' || type.kind === 'date' || (type.kind === 'timestamp' && type.zone === null)
}
