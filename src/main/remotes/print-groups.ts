import type { Condition } from '../../plan/condition/condition.ts'
import { quoteSqlName } from '../../plan/statement/statement.ts'
import type { Field } from '../../plan/types/schema.ts'
import type { WrittenRemoteTable } from './remote-table-name.ts'
import type { Dialect } from './sql/dialect.ts'
import { printCondition } from './sql/print-condition.ts'
import { printTable } from './sql/print-names.ts'
import type { RemoteAggregate } from './sql/remote-aggregate.ts'

/** Groups of the rows of a table elsewhere. Without keys it is one, even if there are no rows. */
export interface RemoteGroups {
  readonly table: WrittenRemoteTable
  readonly filter: Condition | null
  readonly keys: readonly Field[]
  readonly aggregates: readonly RemoteAggregate[]
}

/** The statement, and the columns of its answer: the keys, and the aggregates by their numbers. */
interface PrintedGroups {
  readonly statement: string
  readonly fields: readonly Field[]
}

/** The name of an aggregate in an answer. No column of a key has it. */
function aggregateName(place: number, keys: readonly Field[]): string {
  const name = `aggregate_${place}`
  return keys.some((key) => key.name.toLowerCase() === name)
    ? aggregateName(place + keys.length + 1000, keys)
    : name
}

/**
 * Prints a statement for a remote that gives exactly the groups that are made of its rows here. A text: it is not certain that there is one,
 * and why.
 */
export function printGroups(
  { table, filter, keys, aggregates }: RemoteGroups,
  dialect: Dialect,
): PrintedGroups | string {
  const condition = filter === null ? null : printCondition(filter, dialect)
  if (filter !== null && !condition?.isExact)
    return 'it is not certain that the same rows pass all conditions there'
  const keyTexts: string[] = []
  for (const { name } of keys) {
    const text = dialect.printGroupKey?.(name) ?? null
    if (text === null)
      return `it is not certain that values of ${quoteSqlName(name)} are equal there as they are here`
    keyTexts.push(text)
  }
  const columns = keys.map(({ name }, place) => `${keyTexts[place]} AS ${quoteSqlName(name)}`)
  const fields: Field[] = [...keys]
  for (const [place, aggregate] of aggregates.entries()) {
    const printed = dialect.printAggregate?.(aggregate) ?? null
    if (printed === null) return `it is not certain that ${printAggregate(aggregate)} is the same there`
    const name = aggregateName(place, keys)
    columns.push(`${printed.text} AS ${quoteSqlName(name)}`)
    fields.push(Object.freeze({ ...printed.field, name }))
  }
  const statement = [
    `SELECT ${columns.join(', ')} FROM ${printTable(table.schema, table.name)}`,
    ...(condition === null ? [] : [`WHERE ${condition.text}`]),
    ...(keyTexts.length === 0 ? [] : [`GROUP BY ${keyTexts.join(', ')}`]),
  ].join(' ')
  return { statement, fields: Object.freeze(fields) }
}

function printAggregate(aggregate: RemoteAggregate): string {
  return aggregate.kind === 'count_rows' ? 'count(*)' : `${aggregate.kind}(${quoteSqlName(aggregate.column)})`
}
