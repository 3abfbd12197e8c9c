import type { ScanPlan } from '../../../plan/plan.ts'
import type { GroupColumn, Predicate } from '../../../plan/predicate/predicate.ts'
import { type Aggregate, aggregateType, type Finish, INT64 } from '../../../plan/task/finish.ts'
import { type DataType, field, typeName } from '../../../plan/types/schema.ts'
import { all, TRUE } from '../../query/bind/combine.ts'
import { leave } from '../../query/bind/declined.ts'
import type { Condition } from './ast.ts'
import { bindCondition, valuesIn } from './bind-condition.ts'
import { type Term, termKey } from './names-in-clauses.ts'
import {
  bindFilter,
  columnOf,
  createProjection,
  type Entry,
  orderOf,
  type ProjectionList,
  planOf,
  type Query,
  termIn,
} from './query.ts'

/** One row for each group. */
export function bindGroups(query: Query): ScanPlan {
  const { select, columns, entries } = query
  const projection = createProjection(columns)
  const groups = createGroups(projection)
  for (const { term, at } of groupTerms(query)) groups.addKey(term, at)
  const output = entries.map(({ term, at }) => groups.placeOf(term, at))
  const { onKeys, onGroups } = splitHaving(query)
  // Every value of it has to be there, though a condition on keys drops rows before there are groups.
  for (const value of onKeys.flatMap(valuesIn)) groups.placeOf(query.termOf(value, 'having'), value.at)
  const having = all<GroupColumn>(
    onGroups.map((condition) =>
      bindCondition(condition, (value) => {
        const place = groups.placeOf(query.termOf(value, 'having'), value.at)
        return Object.freeze({ kind: 'group', place, type: groups.typeAt(place) })
      }),
    ),
  )
  const order = orderOf(query, groups.placeOf)
  const keys = groups.keys()
  const given = new Set(output)
  if (select.isDistinct && !keys.every((_, place) => given.has(place)))
    leave('DISTINCT over groups that it does not tell apart')
  const aggregates = groups.aggregates()
  // The core refuses a sum that does not fit, also of a group that does not go out; narrower integers always fit.
  const isCut = having !== TRUE || select.limit !== null || select.offset > 0
  const isWide = (place: number): boolean => {
    const type = projection.list[place]?.field.type
    return type?.kind === 'int' && type.bits === 64
  }
  if (isCut && aggregates.some((each) => each.kind === 'sum' && isWide(each.argument)))
    leave('a sum of 64-bit integers in groups of which not all go out')
  const finish: Finish = {
    grouping: Object.freeze({ keys, aggregates, having: unlessTrue(having) }),
    order,
    output: Object.freeze(output),
    isCounted: false,
  }
  const filters = [
    bindFilter(query, select.where, 'where'),
    ...onKeys.map((condition) => bindFilter(query, condition, 'having')),
  ]
  const fields = entries.map(({ name }, index) => field(name, groups.typeAt(output[index] ?? 0)))
  return planOf(query, filters, projection.list, finish, fields)
}

function unlessTrue(predicate: Predicate<GroupColumn>): Predicate<GroupColumn> | null {
  return predicate === TRUE ? null : predicate
}

function groupTerms(query: Query): readonly Pick<Entry, 'term' | 'at'>[] {
  const { groupBy } = query.select
  if (groupBy === null) return []
  if (groupBy.kind === 'all') return query.entries.filter(({ term }) => term.kind === 'column')
  return groupBy.values.map((value) => ({ term: termIn(query, value, 'group'), at: value.at }))
}

/** Conditions on keys alone, which are conditions on rows as well, and the others. */
function splitHaving({ select: { having }, termOf }: Query): {
  readonly onKeys: readonly Condition[]
  readonly onGroups: readonly Condition[]
} {
  const conditions = having === null ? [] : having.kind === 'and' ? having.args : [having]
  const isOnKeys = (condition: Condition): boolean => {
    const values = valuesIn(condition)
    return values.length > 0 && values.every((value) => termOf(value, 'having').kind === 'column')
  }
  return {
    onKeys: conditions.filter(isOnKeys),
    onGroups: conditions.filter((condition) => !isOnKeys(condition)),
  }
}

/** Keys and aggregates as they are asked for, each once: their places are those of a table of groups. */
interface Groups {
  addKey(term: Term, at: number): void
  placeOf(term: Term, at: number): number
  typeAt(place: number): DataType
  /** Places in the scan's projection. */
  keys(): readonly number[]
  aggregates(): readonly Aggregate[]
}

/** Every key is added before the first place is asked for. */
function createGroups(projection: ProjectionList): Groups {
  const places = new Map<string, number>()
  const keys: number[] = []
  const aggregates: TypedAggregate[] = []
  return {
    addKey(term, at) {
      const key = termKey(term)
      if (!places.has(key)) places.set(key, keys.push(projection.add(columnOf(term, at), at)) - 1)
    },
    placeOf(term, at) {
      const key = termKey(term)
      const known = places.get(key)
      if (known !== undefined) return known
      if (term.kind === 'column') leave('a column that is neither grouped by nor in an aggregate', at)
      const place = keys.length + aggregates.push(aggregateOf(term, projection, at)) - 1
      places.set(key, place)
      return place
    },
    typeAt(place) {
      const key = keys[place]
      if (key !== undefined) return projection.typeAt(key)
      return aggregates[place - keys.length]?.type ?? { kind: 'null' }
    },
    keys: () => Object.freeze([...keys]),
    aggregates: () => Object.freeze(aggregates.map(({ aggregate }) => aggregate)),
  }
}

interface TypedAggregate {
  readonly aggregate: Aggregate
  readonly type: DataType
}

function aggregateOf(
  { aggregate: kind, place }: Extract<Term, { kind: 'aggregate' }>,
  projection: ProjectionList,
  at: number,
): TypedAggregate {
  if (kind === 'count_rows' || place === null)
    return { aggregate: Object.freeze({ kind: 'count_rows' }), type: INT64 }
  const argument = projection.add(place, at)
  const of = projection.typeAt(argument)
  const type = aggregateType(kind, of)
  if (type === null) return leave(`${kind} of ${typeName(of)}`, at)
  return { aggregate: Object.freeze({ kind, argument }), type }
}
