import { ServiceError } from '../../../../plan/errors.ts'
import { fault } from '../../fault.ts'
import type { Dimension } from './group.ts'

/** The grid of an entry: its axes, and the rows of all of them together. */
export interface EntryGrid {
  readonly axes: readonly Dimension[]
  readonly rows: number
  /** The box of all of it. */
  readonly origin: readonly number[]
  readonly extent: readonly number[]
}

const NOTHING = Object.freeze([])
const SCALAR: EntryGrid = Object.freeze({ axes: NOTHING, rows: 1, origin: NOTHING, extent: NOTHING })

/**
 * The grid of arrays with these dimensions, which are in the order of their columns. It has the dimensions of the last array with the most
 * of them, and then those that it does not have, as they come. Throws `unreadable_file` if they do not fit each other.
 */
export function gridOf(arrays: readonly (readonly Dimension[])[]): EntryGrid {
  let leader: readonly Dimension[] = SCALAR.axes
  for (const dimensions of arrays) if (dimensions.length >= leader.length) leader = dimensions
  if (leader.length === 0) return SCALAR
  const axes = [...leader]
  for (const dimensions of arrays)
    for (const dimension of dimensions === leader ? [] : dimensions)
      if (!axes.some(({ name }) => name === dimension.name)) axes.push(dimension)
  for (const dimensions of arrays) requireFitting(dimensions, axes)
  const rows = axes.reduce((product, { size }) => product * size, 1)
  if (!Number.isSafeInteger(rows))
    throw new ServiceError(
      'memory_limit',
      `a grid of ${print(axes)}, which has too many rows; name fewer columns`,
    )
  return { axes, rows, origin: axes.map(() => 0), extent: axes.map(({ size }) => size) }
}

/** The axis of a grid along which a dimension lies. -1: none. */
export function axisOf(axes: readonly Dimension[], { name }: Dimension): number {
  return axes.findIndex((axis) => axis.name === name)
}

/** Throws unless each dimension has the size of its axis, or 1. */
function requireFitting(dimensions: readonly Dimension[], axes: readonly Dimension[]): void {
  for (const [index, dimension] of dimensions.entries()) {
    const { name, size } = dimension
    if (name === '') throw fault(`nd dimension at axis ${index} has an empty name`)
    if (dimensions.findIndex((each) => each.name === name) < index)
      throw fault(`duplicate nd dimension name '${name}'`)
    const expected = axes[axisOf(axes, dimension)]?.size
    if (size !== 1 && size !== expected)
      throw fault(
        `cannot broadcast ${print(dimensions)} to ${print(axes)}: dimension '${name}' has size ${size} but the target expects ${expected}; name fewer columns`,
      )
  }
}

/** `(time=2, depth=30)` */
function print(dimensions: readonly Dimension[]): string {
  return `(${dimensions.map(({ name, size }) => `${name}=${size}`).join(', ')})`
}
