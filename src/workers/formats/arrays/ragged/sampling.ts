import { ServiceError } from '../../../../plan/errors.ts'
import type { ArrayFile } from '../array-file.ts'
import { textOf } from '../attributes.ts'
import type { ArrayColumn, CountVariable, IndexVariable } from '../columns.ts'

/**
 * How the observations of a file belong to instances, such as stations or profiles, if they are ragged arrays (CF conventions, chapter
 * 9). Both lists are empty in other files.
 */
export interface Sampling {
  /** The contiguous representation. All count variables have the same instance dimension. */
  readonly counts: readonly CountVariable[]
  /** The indexed representation. */
  readonly indexes: readonly IndexVariable[]
}

/**
 * Finds the variables with an attribute `sample_dimension` or `instance_dimension`. One that names a dimension of no variable says nothing
 * about any and is not returned. Throws `unreadable_file` for a count variable that cannot count.
 */
export function samplingOf(file: ArrayFile, arrays: readonly ArrayColumn[]): Sampling {
  const sizes = new Map<string, number>()
  for (const { name, size } of [
    ...(file.otherDimensions ?? []),
    ...arrays.flatMap((each) => each.dimensions),
  ])
    sizes.set(name, Math.max(size, sizes.get(name) ?? 0))
  const counts = arrays.flatMap((column): readonly CountVariable[] => {
    const sample = textOf(column.array.attributes, 'sample_dimension')
    const size = sample === null ? undefined : sizes.get(sample)
    if (sample === null || size === undefined) return []
    requireCounts(column)
    return [{ column, sample, size }]
  })
  const indexes = arrays.flatMap((column): readonly IndexVariable[] => {
    const instances = textOf(column.array.attributes, 'instance_dimension')
    const isIndex = instances !== null && isWholeNumbers(column) && column.dimensions.length === 1
    if (!isIndex || column.dimensions[0]?.name === instances) return []
    const hasInstances = arrays.some(({ dimensions }) => dimensions.some(({ name }) => name === instances))
    return hasInstances ? [{ column, instances }] : []
  })
  return { counts: counts.filter(({ column }) => isAlong(column, counts[0]?.column)), indexes }
}

function requireCounts(column: ArrayColumn): void {
  const { name, dimensions } = column
  if (!isWholeNumbers(column))
    throw new ServiceError('unreadable_file', `row-size variable ${name} must hold an integer type`)
  if (dimensions.length !== 1)
    throw new ServiceError(
      'unreadable_file',
      `row-size variable ${name} has ${dimensions.length} dimensions; it must have one, that of the instances`,
    )
}

function isWholeNumbers({ content }: ArrayColumn): boolean {
  if (content.kind !== 'numbers') return false
  const { stored, packing, time } = content.decoding
  return stored.kind === 'int' && packing === null && time === null
}

/** Whether a column has the same single dimension as another one. */
function isAlong({ dimensions: [columnDimension] }: ArrayColumn, other: ArrayColumn | undefined): boolean {
  const [dimension] = other?.dimensions ?? []
  return columnDimension?.name === dimension?.name && columnDimension?.size === dimension?.size
}
