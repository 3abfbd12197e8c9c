import { columnExpression } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import type { Aggregate } from '../../../../plan/task/finish.ts'
import type { Field, Schema } from '../../../../plan/types/schema.ts'
import { printGroups } from '../../../remotes/print-groups.ts'
import { dialectOf } from '../../../remotes/sql/dialect.ts'
import type { RemoteAggregate } from '../../../remotes/sql/remote-aggregate.ts'
import type { FilesTable } from '../files-table.ts'
import type { WantedGroups } from './list-remote.ts'

/** A plan over rows of which each is a group already, as another service or a database has made it. */
interface GroupedThere {
  readonly plan: ScanPlan
  /** The table with the columns of those rows. */
  readonly table: FilesTable
  readonly wanted: WantedGroups
}

/**
 * The plan of groups of a table elsewhere, if they can be made where its rows are. A text: they are made here, and why. Null: there are no
 * groups, or the table is none elsewhere.
 * @param reduced The plan without what nothing depends on.
 */
export function groupedThere(reduced: ScanPlan, table: FilesTable): GroupedThere | string | null {
  const { scan, finish } = reduced
  const { grouping } = finish
  const { remote } = table.unlisted ?? {}
  if (remote === undefined || grouping === null) return null
  const fieldOf = (index: number): Field | undefined => {
    const expression = scan.projection[index]?.expression
    return expression?.kind === 'column'
      ? table.schema.fields.find(({ name }) => name === expression.column)
      : undefined
  }
  const keys = grouping.keys.flatMap((index) => fieldOf(index) ?? [])
  if (keys.length < grouping.keys.length) return 'a key is no column'
  if (new Set(keys.map(({ name }) => name)).size < keys.length) return 'a key is there twice'
  const aggregates = grouping.aggregates.map((aggregate) => remoteAggregate(aggregate, fieldOf))
  const aggregatesThere = aggregates.filter((aggregate) => aggregate !== null)
  const missing = grouping.aggregates[aggregates.indexOf(null)]
  if (missing !== undefined) return `${missing.kind} is computed here, or of what is no column`
  const { address, table: named } = remote.source
  const groups = { table: named, filter: scan.filter, keys, aggregates: aggregatesThere }
  const printed = printGroups(groups, dialectOf(address, table.schema))
  if (typeof printed === 'string') return printed
  const { statement, fields } = printed
  const read = [
    ...keys,
    ...aggregatesThere.flatMap((each) => ('column' in each ? [fieldNamed(each.column, table.schema)] : [])),
  ]
  const projection = fields.map((field) => ({
    expression: columnExpression(field.name, field.type),
    field,
  }))
  const plan: ScanPlan = Object.freeze({
    ...reduced,
    scan: Object.freeze({
      ...scan,
      columns: Object.freeze(fields.map(({ name, type }) => ({ name, type }))),
      filter: null,
      projection: Object.freeze(projection),
    }),
    finish: Object.freeze({
      ...finish,
      grouping: Object.freeze({
        ...grouping,
        keys: keys.map((_, place) => place),
        // Each group has one row.
        aggregates: aggregatesThere.map(
          (_, place): Aggregate => ({ kind: 'first', argument: keys.length + place }),
        ),
      }),
    }),
  })
  return {
    plan,
    table: { ...table, schema: Object.freeze({ fields, metadata: table.schema.metadata }) },
    wanted: { statement, fields, read: [...new Set(read)] },
  }
}

function remoteAggregate(
  aggregate: Aggregate,
  fieldOf: (index: number) => Field | undefined,
): RemoteAggregate | null {
  if (aggregate.kind === 'count_rows') return aggregate
  const { kind } = aggregate
  if (kind !== 'count' && kind !== 'sum' && kind !== 'min' && kind !== 'max') return null
  const column = fieldOf(aggregate.argument)?.name
  return column === undefined ? null : { kind, column }
}

function fieldNamed(column: string, { fields }: Schema): Field {
  const named = fields.find(({ name }) => name === column)
  if (named === undefined) throw new RangeError(`no column ${column}`)
  return named
}
