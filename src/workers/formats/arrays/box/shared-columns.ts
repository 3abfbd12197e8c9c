import { productOf } from '../../../../plan/product-of.ts'
import type { BoxSpec } from '../../../../wasm/core/boxes/box-column.ts'
import type { Column } from '../../../../wasm/core/column.ts'
import type { Store } from '../../../store/store.ts'
import type { ReadContext } from '../../provider.ts'
import type { ArrayColumn } from '../columns.ts'

/** The most elements of an array that a shared column repeats. */
const MOST_ELEMENTS = 4096

/** The most columns that are shared of one array: the ranges of a coordinate along which the units of a task lie. */
const MOST_COLUMNS = 16

/** Columns that repeat few numbers of an array, by the box that they are of, of each store that a task has open. */
const columnsOfStores = new WeakMap<Store, Map<ArrayColumn, Map<string, Column>>>()

/**
 * The column of a box, if a unit before has made it of the same store. Null: it has to be made. Units that lie side by side in a grid have the same
 * coordinates along the axes that they share, and to make a column of three elements takes a tenth of what a chunk of 400 kB takes.
 */
export function sharedColumn(
  store: Store,
  column: ArrayColumn,
  spec: BoxSpec,
  { core }: ReadContext,
): Column | null {
  const shared = columnsOfStores.get(store)?.get(column)?.get(keyOf(spec))
  return shared === undefined ? null : core.share(shared)
}

/** Keeps a handle of `values`, the column of a box, for the next units of a task, if they repeat few numbers. It is freed when the store is closed. */
export function shareColumn(
  store: Store,
  column: ArrayColumn,
  spec: BoxSpec,
  values: Column,
  { core, untilClosed }: ReadContext,
): void {
  if (untilClosed === undefined || !repeatsFew(spec)) return
  const ofStore = columnsOfStores.get(store) ?? new Map<ArrayColumn, Map<string, Column>>()
  columnsOfStores.set(store, ofStore)
  const ofArray = ofStore.get(column) ?? new Map<string, Column>()
  ofStore.set(column, ofArray)
  if (ofArray.size >= MOST_COLUMNS) return
  const shared = core.share(values)
  untilClosed.defer(() => core.free(shared))
  ofArray.set(keyOf(spec), shared)
}

/** Whether the column has each number several times, as a coordinate along one axis of a grid of more. Texts may be of any length. */
function repeatsFew({ shape, axes, element }: BoxSpec): boolean {
  const elements = productOf(axes.map((axis) => (axis === null ? 1 : (shape[axis] ?? 0))))
  const isNumber = element.kind === 'int' || element.kind === 'float'
  return isNumber && axes.length <= 1 && elements <= MOST_ELEMENTS && elements < productOf(shape)
}

function keyOf({ shape, axes, origin }: BoxSpec): string {
  return `${shape} ${axes} ${origin}`
}
