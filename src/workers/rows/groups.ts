import { type Aggregate, type Grouping, groupTypes } from '../../plan/task/finish.ts'
import { type Part, payloadAs } from '../../plan/task/part.ts'
import { type DataType, valueType } from '../../plan/types/schema.ts'
import type { Column, Groups } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import { at, type TypedTable, tableOf } from './typed-table.ts'

/** Calls `use` with an empty table of groups over columns of these types, and frees it. */
export function withGroups<T>(
  { keys, aggregates }: Grouping,
  types: readonly DataType[],
  maximumBytes: number,
  core: Core,
  use: (groups: Groups) => T,
): T {
  const typeAt = (place: number): DataType => valueType(at(types, place))
  const groups = core.groups(
    keys.map(typeAt),
    aggregates.map((each) => ({
      kind: each.kind,
      type: each.kind === 'count_rows' ? null : typeAt(each.argument),
    })),
    maximumBytes,
  )
  try {
    return use(groups)
  } finally {
    core.freeGroups(groups)
  }
}

/** Whether the groups are the same if rows are left out that have no other values, in any column, than rows before them. */
export function areValuesEnough({ aggregates }: Grouping): boolean {
  return aggregates.every(({ kind }) => OF_VALUES.includes(kind))
}

const OF_VALUES: readonly Aggregate['kind'][] = ['count_distinct', 'min', 'max', 'first']

/** Adds the rows of a unit that pass. */
export function addUnit(
  groups: Groups,
  { keys, aggregates }: Grouping,
  { columns, rows, mask }: DecodedUnit,
  { core, stopwatch }: ReadContext,
): void {
  // One without such rows has no columns.
  if (rows === 0) return
  const arguments_ = aggregates.map((each) =>
    each.kind === 'count_rows' ? null : at(columns, each.argument),
  )
  const keyColumns = keys.map((place) => at(columns, place))
  stopwatch.time('group', () => core.addRows(groups, keyColumns, arguments_, rows, mask))
}

/** Adds partials, in their order. */
export function addPartials(
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

/** The groups as rows. */
export function groupTable(
  groups: Groups,
  grouping: Grouping,
  types: readonly DataType[],
  { core, stopwatch }: ReadContext,
): TypedTable {
  const columns: readonly Column[] = stopwatch.time('group', () => core.groupColumns(groups))
  return { table: tableOf(columns, core.groupCount(groups)), types: groupTypes(grouping, types) }
}
