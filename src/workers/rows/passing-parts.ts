import type { Part } from '../../plan/task/part.ts'
import type { DataType } from '../../plan/types/schema.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { TaskContext } from '../state/task-context.ts'
import { encodeParts } from './encode-rows.ts'
import { transferTypes } from './part-dictionaries.ts'

/** The number of a unit's rows that pass. */
export function countPassing({ rows, mask }: Pick<DecodedUnit, 'rows' | 'mask'>, core: Core): number {
  return mask === null ? rows : core.count(mask)
}

/** The rows of a table that are true in its mask, with all columns, as a worker sends them. */
export function passingParts(
  table: DecodedUnit,
  types: readonly DataType[],
  context: TaskContext,
): readonly Part[] {
  const { core } = context
  const rows = countPassing(table, core)
  // A unit of which no row passes has no columns.
  if (rows === 0) return []
  return encodeParts(ALL_ROWS, table, transferTypes(core, table.columns, types, rows), 0, context).parts
}

/** What of a table is encoded. */
export const ALL_ROWS = Object.freeze({
  take: Number.POSITIVE_INFINITY,
  encoding: 'arrow',
  answerBytes: Number.POSITIVE_INFINITY,
})
