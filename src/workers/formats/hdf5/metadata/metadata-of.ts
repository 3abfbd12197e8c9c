import type { Omitted } from '../../../../plan/source/omitted.ts'
import type { Attribute } from '../../arrays/array-file.ts'
import { byUtf8 } from '../../arrays/utf8-order.ts'
import type { Hdf5Array, Hdf5Metadata } from '../hdf5-metadata.ts'
import { arrayName, arraysOf, attributesOf } from './arrays.ts'
import { nameDimensions } from './dimensions.ts'
import type { FileObjects } from './objects.ts'

/** Makes the arrays of a file from its objects. `areMembersWanted`: also those of the members of compounds. */
export function metadataOf({ groups, datasets, base }: FileObjects, areMembersWanted: boolean): Hdf5Metadata {
  const dimensions = nameDimensions(datasets)
  const arrays = new Map<string, Hdf5Array>()
  const attributes: Attribute[] = []
  const omitted: Omitted[] = []
  const add = (prefix: string, of: Parameters<typeof attributesOf>[0]): void => {
    for (const { name, value } of attributesOf(of)) attributes.push({ name: `${prefix}.${name}`, value })
  }
  for (const group of groups) add(group.path === '' ? '' : `${group.path}/`, group)
  for (const dataset of datasets) {
    const datasetArrays = arraysOf(dataset, dimensions, areMembersWanted)
    omitted.push(...datasetArrays.omitted)
    for (const array of datasetArrays.arrays) if (!arrays.has(array.name)) arrays.set(array.name, array)
    const hasOwn = datasetArrays.arrays.some(({ name }) => name === arrayName(dataset))
    if (!hasOwn && !dimensions.isOnlyDimension(dataset)) add(arrayName(dataset), dataset)
  }
  const sorted = [...arrays.values()].sort((a, b) => byUtf8(a.name, b.name))
  const used = new Set(sorted.flatMap((array) => array.dimensions.map(({ name }) => name)))
  const otherDimensions = dimensions.named.flatMap(({ name, size }) =>
    used.has(name) ? [] : [{ name, size }],
  )
  return { arrays: sorted, attributes, otherDimensions, omitted, base }
}
