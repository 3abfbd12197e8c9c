import type { Condition } from '../../../plan/condition/condition.ts'
import { expressionKey, type GroupExpression, type TypedExpression } from '../../../plan/expression.ts'
import {
  type Aggregate,
  type AggregateKind,
  aggregateType,
  type Grouping,
  INT64,
  type QuantileAggregate,
} from '../../../plan/task/finish.ts'
import { type DataType, typeName } from '../../../plan/types/schema.ts'
import { decline } from './declined.ts'
import type { ProjectionList } from './projection-list.ts'

/** An aggregate whose arguments are expressions over rows. */
export type BoundAggregate =
  | { readonly kind: 'count_rows' }
  | { readonly kind: AggregateKind; readonly argument: TypedExpression }
  | (Omit<QuantileAggregate, 'argument'> & { readonly argument: TypedExpression })
  | {
      readonly kind: 'arg_max' | 'arg_min'
      readonly argument: TypedExpression
      readonly by: TypedExpression
    }

/**
 * Collects the columns of a table of groups, without duplicates: the keys come first, then the aggregates. All keys must be
 * added before the first aggregate.
 */
export interface GroupList {
  addKey(expression: TypedExpression): void
  /** The index of the column of a key. Null: the expression is not a key. */
  keyIndex(expression: TypedExpression): number | null
  /**
   * The index of the column of an aggregate, which is added if it is new. Declines an aggregate that the core does not have for the
   * type of its argument; `at` is its position in the statement.
   */
  aggregateIndex(aggregate: BoundAggregate, at?: number | null): number
  columnAt(index: number): GroupExpression
  /** Whether a column is a sum of signed integers, which has 128 bits in DuckDB. */
  isHuge(index: number): boolean
  /** The number of keys and aggregates. */
  size(): number
  grouping(having: Condition | null, computed?: readonly TypedExpression[]): Grouping
}

/** Adds the keys and the arguments of aggregates to `projection`. */
export function createGroupList(projection: ProjectionList): GroupList {
  const keys = new Map<string, number>()
  const aggregates = new Map<string, number>()
  const keyColumns: number[] = []
  const aggregateList: Aggregate[] = []
  const types: DataType[] = []

  function aggregateOf(
    bound: BoundAggregate,
    at: number | null,
  ): { readonly aggregate: Aggregate; readonly type: DataType } {
    if (bound.kind === 'count_rows') return { aggregate: Object.freeze({ kind: 'count_rows' }), type: INT64 }
    const type = aggregateType(bound.kind, bound.argument.type)
    if (type === null) return decline(`${bound.kind} of ${typeName(bound.argument.type)}`, at)
    const argument = projection.add(bound.argument)
    const aggregate =
      'by' in bound ? { ...bound, argument, by: projection.add(bound.by) } : { ...bound, argument }
    return { aggregate: Object.freeze(aggregate), type }
  }

  return {
    addKey(expression) {
      const key = expressionKey(expression)
      if (keys.has(key)) return
      keys.set(key, keyColumns.push(projection.add(expression)) - 1)
      types.push(expression.type)
    },
    keyIndex: (expression) => keys.get(expressionKey(expression)) ?? null,
    aggregateIndex(bound, at = null) {
      const key = aggregateKey(bound)
      const existingIndex = aggregates.get(key)
      if (existingIndex !== undefined) return existingIndex
      const { aggregate, type } = aggregateOf(bound, at)
      const index = keyColumns.length + aggregateList.push(aggregate) - 1
      aggregates.set(key, index)
      types.push(type)
      return index
    },
    columnAt(index) {
      const type = types[index]
      if (type === undefined) throw new RangeError(`column ${index} of ${types.length}`)
      return Object.freeze({ kind: 'group', index, type })
    },
    isHuge(index) {
      const type = types[index]
      return aggregateList[index - keyColumns.length]?.kind === 'sum' && type?.kind === 'int' && type.signed
    },
    size: () => types.length,
    grouping: (having, computed = []) =>
      Object.freeze({
        keys: Object.freeze([...keyColumns]),
        aggregates: Object.freeze([...aggregateList]),
        having,
        ...(computed.length > 0 && { computed: Object.freeze([...computed]) }),
      }),
  }
}

/** A key that is equal for equal aggregates. */
function aggregateKey(bound: BoundAggregate): string {
  const { kind } = bound
  if (kind === 'count_rows') return kind
  const columns = 'by' in bound ? [bound.argument, bound.by] : [bound.argument]
  const options = 'share' in bound ? [bound.share.digits, bound.share.scale, bound.isDistinct] : []
  return [kind, ...options, ...columns.map(expressionKey)].join(' ')
}
