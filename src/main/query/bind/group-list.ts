import { expressionKey, type GroupColumn, type TypedExpression } from '../../../plan/expression.ts'
import type { Predicate } from '../../../plan/predicate/predicate.ts'
import {
  type Aggregate,
  type AggregateKind,
  aggregateType,
  type Grouping,
  INT64,
} from '../../../plan/task/finish.ts'
import { type DataType, typeName } from '../../../plan/types/schema.ts'
import { decline } from './declined.ts'
import type { ProjectionList } from './projection-list.ts'

/**
 * Collects the columns of a table of groups, without duplicates: the keys come first, then the aggregates. All keys must be
 * added before the first aggregate.
 */
export interface GroupList {
  addKey(expression: TypedExpression): void
  /** The index of the column of a key. Null: the expression is not a key. */
  keyIndex(expression: TypedExpression): number | null
  /**
   * The index of the column of an aggregate, which is added if it is new. `argument` is null for `count_rows`. Declines an
   * aggregate that the core does not have for the type of its argument; `at` is its position in the statement.
   */
  aggregateIndex(
    kind: AggregateKind | 'count_rows',
    argument: TypedExpression | null,
    at?: number | null,
  ): number
  columnAt(index: number): GroupColumn
  /** Whether a column is a sum of signed integers, which has 128 bits in DuckDB. */
  isHuge(index: number): boolean
  /** The number of keys and aggregates. */
  size(): number
  grouping(having: Predicate | null, computed?: readonly TypedExpression[]): Grouping
}

/** Adds the keys and the arguments of aggregates to `projection`. */
export function createGroupList(projection: ProjectionList): GroupList {
  const keys = new Map<string, number>()
  const aggregates = new Map<string, number>()
  const keyColumns: number[] = []
  const aggregateList: Aggregate[] = []
  const types: DataType[] = []

  function aggregateOf(
    kind: AggregateKind | 'count_rows',
    argument: TypedExpression | null,
    at: number | null,
  ): { readonly aggregate: Aggregate; readonly type: DataType } {
    if (kind === 'count_rows' || argument === null)
      return { aggregate: Object.freeze({ kind: 'count_rows' }), type: INT64 }
    const type = aggregateType(kind, argument.type)
    if (type === null) return decline(`${kind} of ${typeName(argument.type)}`, at)
    return { aggregate: Object.freeze({ kind, argument: projection.add(argument) }), type }
  }

  return {
    addKey(expression) {
      const key = expressionKey(expression)
      if (keys.has(key)) return
      keys.set(key, keyColumns.push(projection.add(expression)) - 1)
      types.push(expression.type)
    },
    keyIndex: (expression) => keys.get(expressionKey(expression)) ?? null,
    aggregateIndex(kind, argument, at = null) {
      const key = argument === null ? kind : `${kind} ${expressionKey(argument)}`
      const existingIndex = aggregates.get(key)
      if (existingIndex !== undefined) return existingIndex
      const { aggregate, type } = aggregateOf(kind, argument, at)
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
