import { all, unlessTrue } from '../../../../plan/condition/combine.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { operandsOf } from '../../../../plan/condition/operands.ts'
import { constantExpression, type TypedExpression } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { aggregateType, type Finish, HALF, INT64 } from '../../../../plan/task/finish.ts'
import { type DataType, field, typeName } from '../../../../plan/types/schema.ts'
import { decline } from '../../bind/declined.ts'
import { askedInOrder } from '../../bind/expressions/asked-in-order.ts'
import { requireExactSums } from '../../bind/expressions/huge-sums.ts'
import { makeCall } from '../../bind/expressions/make-call.ts'
import { type BoundAggregate, createGroupList, type GroupList } from '../../bind/group-list.ts'
import { createProjectionList } from '../../bind/projection-list.ts'
import type { AggregateCall, SqlExpression } from '../parse/ast.ts'
import { hasAggregate, valuesIn } from '../parse/values-in.ts'
import { bindCondition } from './bind-condition.ts'
import { bindExpression } from './bind-expression.ts'
import type { Clause, Term } from './names-in-clauses.ts'
import { bindFilter, type Entry, orderOf, planOf, type Query, rowOf, termIn } from './query.ts'

/** Binds a query that has one row for each group. */
export function bindGroups(query: Query): ScanPlan {
  const { select, entries } = query
  const projection = createProjectionList()
  const groups = createGroupList(projection)
  for (const { term, at } of groupTerms(query)) groups.addKey(rowOf(term, at))
  const outputs = entries.map(({ term, at }) => overGroups(query, groups, term, at))
  const { onKeys, onGroups } = splitHaving(query)
  // Conditions on keys become filters of rows below. This only checks that each of their values is a key.
  for (const condition of onKeys) bindOverGroups(query, groups, condition)
  const having = askedInOrder(all(onGroups.map((condition) => bindOverGroups(query, groups, condition))))
  // Aggregates that only the order names are added before what is computed of aggregates has its place behind them.
  for (const { value } of select.orderBy) overGroups(query, groups, termIn(query, value, 'order'), value.at)
  const computed = createProjectionList()
  const indexOf = (column: TypedExpression): number =>
    column.kind === 'group' ? column.index : groups.size() + computed.add(column)
  const output = outputs.map(indexOf)
  const order = orderOf(query, (term, at) => indexOf(overGroups(query, groups, term, at)))
  const grouping = groups.grouping(
    unlessTrue(having),
    computed.list.map(({ expression }) => expression as TypedExpression),
  )
  const { keys } = grouping
  const given = new Set(output)
  if (select.isDistinct && computed.list.length > 0) decline('DISTINCT over what is computed from groups')
  if (select.isDistinct && !keys.every((_, index) => given.has(index)))
    decline('DISTINCT over groups that it does not tell apart')
  const finish: Finish = {
    grouping,
    order,
    output: Object.freeze(output),
    isCounted: false,
  }
  const filters = [
    bindFilter(query, select.where, 'where'),
    ...onKeys.map((condition) => bindFilter(query, condition, 'having')),
  ]
  const fields = entries.map(({ name }, index) => field(name, outputs[index]?.type ?? INT64))
  return planOf(query, filters, projection.list, finish, fields)
}

/** A term as an expression over the columns of the groups. */
function overGroups(query: Query, groups: GroupList, term: Term, at: number): TypedExpression {
  if (term.kind === 'row') return overKeys(groups, term.expression, at)
  const { written, clause } = term
  const expression = bindExpression(written, (part) => ofGroups(query, groups, part, clause))
  requireExactSums(expression, groups.isHuge, at)
  return expression
}

/** What a part of an expression is among the columns of the groups. Null: it is computed from its arguments. */
function ofGroups(
  query: Query,
  groups: GroupList,
  part: SqlExpression,
  clause: Clause,
): TypedExpression | null {
  const { names } = query
  switch (part.kind) {
    case 'literal':
      return null
    case 'aggregate':
      return aggregateColumn(query, groups, part, clause)
    case 'column':
      return overGroups(query, groups, names.meaningOf(part, clause, false), part.at)
    default: {
      const term = hasAggregate(part) ? null : names.termOf(part, clause)
      return term?.kind === 'row' ? overKeys(groups, term.expression, part.at) : null
    }
  }
}

function aggregateColumn(
  { names }: Query,
  groups: GroupList,
  call: AggregateCall,
  clause: Clause,
): TypedExpression {
  const { argument, by, filter, at } = call
  const bound = argument === null ? null : names.argumentOf(argument, clause)
  const counted = filter === undefined ? bound : where(names.argumentOf(filter, clause), bound ?? YES, at)
  const key = by === undefined ? null : names.argumentOf(by, clause)
  return groups.columnAt(groups.aggregateIndex(aggregateOf(call, counted, key), at))
}

/** The aggregate that a call asks for, over its arguments. Those of all rows have none. */
function aggregateOf(
  { aggregate, share, isDistinct = false, at }: AggregateCall,
  argument: TypedExpression | null,
  by: TypedExpression | null,
): BoundAggregate {
  if (argument === null) return { kind: 'count_rows' }
  switch (aggregate) {
    case 'count_rows':
      return { kind: 'count', argument }
    case 'median': {
      const kind = isBetween(argument.type) ? 'quantile_cont' : 'quantile_disc'
      return { kind, argument, share: HALF, isDistinct }
    }
    case 'quantile_cont':
      // DuckDB casts it to microseconds, and its median not.
      if (argument.type.kind === 'timestamp' && argument.type.unit !== 'microsecond')
        decline(`quantile_cont of ${typeName(argument.type)}`, at)
      return { kind: aggregate, argument, share: share?.value ?? HALF, isDistinct }
    case 'quantile_disc':
      return { kind: aggregate, argument, share: share?.value ?? HALF, isDistinct }
    case 'arg_max':
    case 'arg_min':
      return by === null ? decline(`${aggregate} without a key`) : { kind: aggregate, argument, by }
    default:
      return { kind: aggregate, argument }
  }
}

/** Whether DuckDB's median of values of a type may lie between two of them. Of others it is one of them. */
function isBetween(type: DataType): boolean {
  return type.kind === 'decimal' || aggregateType('quantile_cont', type) !== null
}

const YES = constantExpression({ kind: 'bool', value: true }, { kind: 'bool' })

/** A value where a condition is true, and else null, which aggregates leave out. */
function where(condition: TypedExpression, value: TypedExpression, at: number): TypedExpression {
  if (condition.type.kind !== 'bool') decline('a condition that is no BOOLEAN', at)
  return makeCall('case', [condition, value, constantExpression(null, value.type)], value.type, at)
}

/** An expression over rows as one over the keys of their groups. */
function overKeys(groups: GroupList, expression: TypedExpression, at: number): TypedExpression {
  const index = groups.keyIndex(expression)
  if (index !== null) return groups.columnAt(index)
  switch (expression.kind) {
    case 'column':
      return decline('a column that is neither grouped by nor in an aggregate', at)
    case 'call': {
      const args = expression.args.map((arg) => overKeys(groups, arg as TypedExpression, at))
      return Object.freeze({ ...expression, args: Object.freeze(args) })
    }
    default:
      return expression
  }
}

function bindOverGroups(query: Query, groups: GroupList, condition: SqlExpression): Condition {
  const bound = bindCondition(condition, (value) =>
    overGroups(query, groups, query.names.termOf(value, 'having'), value.at),
  )
  for (const operand of operandsOf(bound)) requireExactSums(operand, groups.isHuge, condition.at)
  return bound
}

function groupTerms(query: Query): readonly Pick<Entry, 'term' | 'at'>[] {
  const { groupBy } = query.select
  if (groupBy === null) return []
  if (groupBy.kind === 'all') return query.entries.filter(({ term }) => term.kind === 'row')
  return groupBy.values.map((value) => ({ term: termIn(query, value, 'group'), at: value.at }))
}

/** Splits HAVING into the conditions on keys alone, which can filter rows before they are grouped, and the others. */
function splitHaving({ select: { having }, names }: Query): {
  readonly onKeys: readonly SqlExpression[]
  readonly onGroups: readonly SqlExpression[]
} {
  const isAnd = having?.kind === 'call' && having.name === 'and'
  const conditions = having === null ? [] : isAnd ? having.args : [having]
  const isOnKeys = (condition: SqlExpression): boolean => {
    const values = valuesIn(condition)
    return values.length > 0 && values.every((value) => names.termOf(value, 'having').kind === 'row')
  }
  return {
    onKeys: conditions.filter(isOnKeys),
    onGroups: conditions.filter((condition) => !isOnKeys(condition)),
  }
}
