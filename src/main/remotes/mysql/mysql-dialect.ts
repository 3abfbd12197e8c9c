import { quoteSqlName } from '../../../plan/statement/statement.ts'
import { DECIMAL_DIGITS, type Field, field } from '../../../plan/types/schema.ts'
import type { ComparedColumn } from '../sql/print-condition.ts'
import type { PrintedAggregate, RemoteAggregate } from '../sql/remote-aggregate.ts'
import { hasZeroDates, printColumn } from './column-type.ts'
import { printMysqlComparison } from './print-comparison.ts'
import { printNullable, printOrdered } from './print-value.ts'

/** The SQL of MySQL for a table with these columns, as `BEGIN` in `catalog-queries.ts` has the server read it. */
export function createMysqlDialect(fields: readonly Field[]): {
  readonly printColumn: (name: string) => string
  readonly printComparison: (compared: ComparedColumn) => string | null
  readonly isExact: () => boolean
  readonly printNullable: (name: string) => string | null
  readonly printOrdered: (name: string) => string | null
  readonly areNullsLeast: true
  readonly printGroupKey: (name: string) => string | null
  readonly printAggregate: (aggregate: RemoteAggregate) => PrintedAggregate | null
} {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const printKey = (name: string): string | null => {
    const field = byName.get(name)
    return field === undefined ? null : printOrdered(field, false)
  }
  return {
    printColumn(name) {
      const field = byName.get(name)
      return field === undefined ? quoteSqlName(name) : printColumn(field)
    },
    printComparison(compared) {
      const field = byName.get(compared.name)
      return field === undefined ? null : printMysqlComparison(compared, field)
    },
    isExact: () => true,
    printNullable(name) {
      const field = byName.get(name)
      return field !== undefined && hasZeroDates(field) ? printNullable(field) : null
    },
    printOrdered: printKey,
    areNullsLeast: true,
    // Of both zeros one stands for both.
    printGroupKey: (name) => (byName.get(name)?.type.kind === 'float' ? null : printKey(name)),
    printAggregate(aggregate) {
      if (aggregate.kind === 'count_rows') return { text: 'count(*)', field: COUNT }
      const { kind, column } = aggregate
      const field = byName.get(column)
      if (field === undefined) return null
      if (kind === 'count') return { text: `count(${printNullable(field)})`, field: COUNT }
      if (kind === 'sum') return printSum(field)
      if (field.type.kind === 'float') return null
      const text = printOrdered(field, true)
      return text === null ? null : { text: `${kind}(${text})`, field }
    },
  }
}

const COUNT: Field = field('count', { kind: 'int', bits: 64, signed: true })
const UNSIGNED_SUM: Field = field('sum', { kind: 'int', bits: 64, signed: false })

/** Sums of integers and decimals are decimals there, of all digits. */
function printSum(summed: Field): PrintedAggregate | null {
  const { type } = summed
  const text = `sum(${quoteSqlName(summed.name)})`
  if (type.kind === 'decimal' && type.bits === 128)
    return { text, field: field('sum', { ...type, precision: DECIMAL_DIGITS[128] }) }
  if (type.kind !== 'int' || printColumn(summed) !== quoteSqlName(summed.name)) return null
  // Other than CAST, DIV is an error where the sum does not fit.
  return { text: `${text} DIV 1`, field: type.signed ? COUNT : UNSIGNED_SUM }
}
