import { type DataType, valueType } from '../plan/schema.ts'
import type { Fragment, MergedFragment, Part, ScanAnswer } from '../plan/task.ts'
import type { Groups } from '../wasm/column.ts'
import type { Core } from '../wasm/core.ts'
import type { DecodedUnit } from './decoded-units.ts'
import { encodeParts } from './encode-rows.ts'
import { ordered } from './ended.ts'
import type { ReadContext } from './formats/provider.ts'
import { addUnit, tableOf, withGroups } from './groups.ts'
import { heldTypes } from './part-dictionaries.ts'
import { takeRows } from './take-rows.ts'
import type { Workshop } from './workshop.ts'

/** What leaves a worker of rows that are to be merged with others. */
export type Partial = Pick<ScanAnswer, 'parts' | 'last'>

/** What rows come to; `types` are those of the projection. The unit stays the caller's. */
export function partialOf(
  fragment: MergedFragment | Extract<Fragment, { kind: 'count' }>,
  unit: DecodedUnit,
  types: readonly DataType[],
  workshop: Workshop,
  context: ReadContext,
): Partial {
  const { core } = context
  if (unit.rows === 0) return { parts: [] }
  switch (fragment.kind) {
    case 'count':
      return {
        parts: [
          partOf(new ArrayBuffer(0), unit.mask === null ? unit.rows : core.count(unit.mask), unit.from),
        ],
      }
    case 'groups': {
      const { grouping } = fragment
      return withGroups(grouping, types, workshop.groupBytes, core, (groups) => {
        addUnit(groups, grouping, unit, context)
        return groupsPart(groups, unit.from, context)
      })
    }
    case 'top':
      return topOf(fragment, unit, types.map(valueType), context)
  }
}

/** A table of groups as it leaves. */
export function groupsPart(groups: Groups, from: number, { core, stopwatch }: ReadContext): Partial {
  const bytes = stopwatch.time('group', () => core.groupsBytes(groups))
  return { parts: [partOf(bytes, core.groupCount(groups), from)] }
}

/** The first rows of a table in an order. */
export function topOf(
  { order: keys, limit }: Extract<Fragment, { kind: 'top' }>,
  unit: DecodedUnit,
  types: readonly DataType[],
  context: ReadContext,
): Partial {
  const { core, stopwatch } = context
  const order = stopwatch.time('sort', () => ordered(core, keys, unit, types, unit.mask, limit))
  try {
    const rows = core.orderRows(order)
    const columns = stopwatch.time('sort', () => takeRows(core, unit.columns, order, 0, rows))
    try {
      const table = { ...tableOf(columns, rows), from: unit.from }
      const last = rows === limit ? lastKey(core, keys[0]?.column ?? 0, table, types) : undefined
      const { parts } = encodeParts(WHOLE, table, heldTypes(core, columns, types, rows), 0, context)
      return { parts, ...(last !== undefined && { last }) }
    } finally {
      for (const column of new Set(columns)) core.free(column)
    }
  } finally {
    core.freeOrder(order)
  }
}

const WHOLE = Object.freeze({
  take: Number.POSITIVE_INFINITY,
  encoding: 'arrow',
  answerBytes: Number.POSITIVE_INFINITY,
})

function lastKey(
  core: Core,
  place: number,
  { columns, rows }: DecodedUnit,
  types: readonly DataType[],
): Partial['last'] {
  const [column, type] = [columns[place], types[place]]
  return column === undefined || type === undefined ? undefined : core.valueAt(column, type, rows - 1)
}

function partOf(bytes: ArrayBuffer, rows: number, from: number): Part {
  return { bytes, rows, from, metadataBytes: 0, dictionaries: [] }
}
