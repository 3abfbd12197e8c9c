import { memoize } from '../../../../plan/memoize.ts'
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
const columnsOf = memoize((_store: Store) => memoize((_column: ArrayColumn) => new Map<string, Column>()))

/**
 * The column of a box, which `make` makes unless a unit before has had it made of the same store. Units that lie side by side in a grid have the same
 * coordinates along the axes that they share, and to make a column of three elements takes a tenth of what a chunk of 400 kB takes. What is
 * shared is freed when the store is closed.
 */
export function shareColumn(
  store: Store,
  column: ArrayColumn,
  spec: BoxSpec,
  { core, untilClosed }: ReadContext,
  make: () => Column,
): Column {
  if (untilClosed === undefined || !repeatsFew(spec)) return make()
  const columns = columnsOf(store)(column)
  const key = keyOf(spec)
  const earlier = columns.get(key)
  if (earlier !== undefined) return core.share(earlier)
  const values = make()
  if (columns.size < MOST_COLUMNS) {
    const shared = core.share(values)
    untilClosed.defer(() => core.free(shared))
    columns.set(key, shared)
  }
  return values
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
