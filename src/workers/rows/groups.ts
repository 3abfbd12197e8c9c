import { type Aggregate, type Grouping, groupTypes } from '../../plan/task/finish.ts'
import { type Part, payloadAs } from '../../plan/task/part.ts'
import { type DataType, valueType } from '../../plan/types/schema.ts'
import type { Column, Groups } from '../../wasm/core/column.ts'
import type { Core, CoreAggregate } from '../../wasm/core/core.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import { at, type TypedTable, tableOf } from './typed-table.ts'

/** Calls `use` with an empty table of groups and frees it afterwards. `types` are those of the scan's projection. */
export function withGroups<T>(
  { keys, aggregates }: Grouping,
  types: readonly DataType[],
  maximumBytes: number,
  core: Core,
  use: (groups: Groups) => T,
): T {
  const typeAt = (index: number): DataType => valueType(at(types, index))
  const groups = core.groups(
    keys.map(typeAt),
    aggregates.map((each, index) => ({
      kind: each.kind,
      type: each.kind === 'count_rows' ? null : typeAt(each.argument),
      ...('by' in each && { by: typeAt(each.by) }),
      ...('share' in each && {
        share: each.share,
        isDistinct: each.isDistinct,
      }),
      ...valuesOf(aggregates.slice(0, index), each, types),
    })),
    maximumBytes,
  )
  try {
    return use(groups)
  } finally {
    core.freeGroups(groups)
  }
}

/** Which of the aggregates before one knows its values. None: nothing does. */
function valuesOf(
  before: readonly Aggregate[],
  aggregate: Aggregate,
  types: readonly DataType[],
): Pick<CoreAggregate, 'valuesOf'> {
  const kinds = SHARING.find((each) => each.includes(aggregate.kind))
  if (kinds === undefined || aggregate.kind === 'count_rows') return {}
  const { argument } = aggregate
  // Such a sum is refused, and an average of it is none of integers.
  const type = valueType(at(types, argument))
  if (type.kind === 'decimal' && type.bits === 256) return {}
  const first = before.findIndex(
    (each) => each.kind !== 'count_rows' && kinds.includes(each.kind) && each.argument === argument,
  )
  return first === -1 ? {} : { valuesOf: first }
}

/** Aggregates that are made of the same, if their argument is the same. */
const SHARING: readonly (readonly Aggregate['kind'][])[] = [
  ['sum', 'avg'],
  ['stddev_samp', 'stddev_pop', 'var_samp', 'var_pop'],
  ['quantile_cont', 'quantile_disc'],
]

/** Whether a row whose values are all equal to those of an earlier row can be left out without a change to the groups. */
export function areValuesEnough({ aggregates }: Grouping): boolean {
  return aggregates.every(
    (each) => IGNORING_REPEATS.includes(each.kind) || ('isDistinct' in each && each.isDistinct),
  )
}

/** The aggregates that a value does not change by occurring again. */
const IGNORING_REPEATS: readonly Aggregate['kind'][] = [
  ...(['count_distinct', 'min', 'max', 'first', 'arg_max', 'arg_min'] as const),
]

/** Adds the rows of a unit that are true in its mask. */
export function addUnit(
  groups: Groups,
  { keys, aggregates }: Grouping,
  { columns, rows, mask }: DecodedUnit,
  { core, stopwatch }: ReadContext,
): void {
  // A unit of which no row passes has no columns.
  if (rows === 0) return
  const arguments_ = aggregates.map((each) =>
    each.kind === 'count_rows' ? null : at(columns, each.argument),
  )
  const by = aggregates.flatMap((each) => ('by' in each ? [at(columns, each.by)] : []))
  const keyColumns = keys.map((index) => at(columns, index))
  stopwatch.time('group', () => core.addRows(groups, keyColumns, [...arguments_, ...by], rows, mask))
}

/** Adds tables of groups from other tasks, in their order. */
export function addGroupTables(
  groups: Groups,
  parts: readonly Part[],
  { core, stopwatch, checkCancelled }: ReadContext,
): void {
  for (const part of parts) {
    const { bytes } = payloadAs(part, 'groups')
    checkCancelled()
    stopwatch.time('group', () => core.addGroups(groups, new Uint8Array(bytes)))
  }
}

/** The groups as a table: its columns are the keys and then the aggregates. */
export function groupTable(
  groups: Groups,
  grouping: Grouping,
  types: readonly DataType[],
  { core, stopwatch }: ReadContext,
): TypedTable {
  const columns: readonly Column[] = stopwatch.time('group', () => core.groupColumns(groups))
  return { table: tableOf(columns, core.groupCount(groups)), types: groupTypes(grouping, types) }
}
