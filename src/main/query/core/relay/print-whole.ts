import { conjunctsOf } from '../../../../plan/condition/test.ts'
import { columnsOfExpressions, type Expression } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { columnsRead } from '../../../../plan/scan.ts'
import { foldSqlName, quoteSqlName } from '../../../../plan/statement/statement.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import type { WrittenRemoteTable } from '../../../remotes/remote-table-name.ts'
import { decline } from '../../bind/declined.ts'
import { printRowCondition, printRowExpression } from './print-row-expression.ts'
import { printSource } from './print-source.ts'

/**
 * Prints the statement of a plan that chooses rows of one table, with its names, order, limit and offset. Declines other plans. What is printed
 * may mean something else, as the alias of a column is another column: it has to be bound again.
 */
export function printWhole(
  { scan, finish, output, offset, limit }: ScanPlan,
  schema: Schema,
  table: WrittenRemoteTable,
): string {
  const { grouping, firsts, order, isCounted } = finish
  if (grouping !== null || isCounted) decline('groups are made here')
  if (firsts !== undefined) decline('the first rows of groups are found here')
  const projected = (index: number): Expression =>
    scan.projection[index]?.expression ?? decline('a column of groups')
  const expressionAt = (index: number): string => printRowExpression(projected(index))
  const items = finish.output.map((index, place) => {
    const text = expressionAt(index)
    const name = quoteSqlName(output.fields[place]?.name ?? '')
    return text === name ? text : `${text} AS ${name}`
  })
  const keys = order.map(({ column, isDescending, areNullsFirst }) => {
    const place = finish.output.indexOf(column)
    const key = place < 0 || isShadowing(output.fields, place) ? expressionAt(column) : String(place + 1)
    return `${key}${isDescending ? ' DESC' : ' ASC'} NULLS ${areNullsFirst ? 'FIRST' : 'LAST'}`
  })
  const computed = [
    ...(scan.filter === null ? [] : [scan.filter]),
    ...finish.output.map(projected).filter(({ kind }) => kind !== 'column'),
    ...order.map(({ column }) => projected(column)),
  ]
  const source = printSource(table, schema, {
    named: foldedNames(columnsRead(scan)),
    computed: foldedNames(columnsOfExpressions(computed)),
  })
  return [
    `SELECT ${items.length === 0 ? decline('no columns are read') : items.join(', ')}`,
    `FROM ${source}`,
    ...(scan.filter === null ? [] : [`WHERE ${printFilter(scan.filter)}`]),
    ...(keys.length === 0 ? [] : [`ORDER BY ${keys.join(', ')}`]),
    ...(Number.isFinite(limit) ? [`LIMIT ${limit}`] : []),
    ...(offset === 0 ? [] : [`OFFSET ${offset}`]),
  ].join(' ')
}

function foldedNames(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(foldSqlName))
}

function printFilter(filter: NonNullable<ScanPlan['scan']['filter']>): string {
  return conjunctsOf(filter).map(printRowCondition).join(' AND ')
}

/** Whether another output column has the same name. */
function isShadowing(fields: ScanPlan['output']['fields'], place: number): boolean {
  const name = foldSqlName(fields[place]?.name ?? '')
  return fields.filter((field) => foldSqlName(field.name) === name).length > 1
}
