import type { ArrayDimension } from '../../arrays/array-file.ts'
import { type FoundDataset, shapeOf } from './objects.ts'

/** The dimensions of datasets. */
export interface Dimensions {
  of(dataset: FoundDataset): readonly ArrayDimension[]
  /** Whether a dataset is only there to be a dimension, and holds no values. */
  isOnlyDimension(dataset: FoundDataset): boolean
  /** All that datasets stand for, also those that no array has. */
  readonly named: readonly NamedDimension[]
}

interface NamedDimension extends Pick<ArrayDimension, 'name' | 'size'> {
  /** The path of its group. */
  readonly group: string
  readonly isUnlimited: boolean
}

/** What NetCDF-4 puts in the attribute `NAME` of a dataset that is only a dimension. */
const NO_VARIABLE = 'This is a netCDF dimension but not a netCDF variable'

/** NetCDF-4 puts this in front of the name of a variable that is called as a dimension, and is not its coordinate. */
const NO_COORDINATE = '_nc4_non_coord_'

/** The name of the variable that a dataset holds. */
export function variableName(name: string): string {
  return name.startsWith(NO_COORDINATE) ? name.slice(NO_COORDINATE.length) : name
}

/**
 * Names the dimensions of datasets: by the identifiers that NetCDF-4 writes, by the dimension scales that are attached to the
 * dataset, or by itself if it is a scale. Other dimensions get names that are made here. Those of equal size have the same, so that
 * datasets can be put beside each other: `phony_len_` with the size. It does not suit a dimension without elements or without
 * a limit, and the second one of a dataset with the same size: they get `phony_dim_` with a number.
 */
export function nameDimensions(datasets: readonly FoundDataset[]): Dimensions {
  const scales = datasets.filter((each) => textOf(each, 'CLASS') === 'DIMENSION_SCALE')
  const names = scaleNames(scales)
  const byAddress = new Map(scales.map((each) => [each.address, each]))
  const byIdentifier = new Map(
    scales.flatMap((each) => numbersOf(each, '_Netcdf4Dimid').map((id) => [id, each] as const)),
  )
  const taken = new Set(names.values())
  const invented = new Map<string, string>()

  function inventedName(size: number, hasLimit: boolean, nth: number): string {
    const unified = `phony_len_${size}`
    if (size > 0 && hasLimit && nth === 0 && !taken.has(unified)) return unified
    const key = `${size} ${hasLimit} ${nth}`
    const existingName = invented.get(key)
    if (existingName !== undefined) return existingName
    let number = invented.size
    while (taken.has(`phony_dim_${number}`)) number++
    const name = `phony_dim_${number}`
    taken.add(name)
    invented.set(key, name)
    return name
  }

  /** The scale of each dimension of a dataset. Undefined: it has none. */
  function scalesOf(dataset: FoundDataset, rank: number): readonly (FoundDataset | undefined)[] {
    const identifiers = numbersOf(dataset, '_Netcdf4Coordinates')
    if (identifiers.length === rank && identifiers.every((id) => byIdentifier.has(id)))
      return identifiers.map((id) => byIdentifier.get(id))
    if (rank === 1 && byAddress.has(dataset.address)) return [byAddress.get(dataset.address)]
    const list = dataset.attributes.get('DIMENSION_LIST')
    if (list?.kind !== 'references' || list.lists.length !== rank) return []
    // Of several scales the last one, as in netCDF-C.
    return list.lists.map((addresses) => byAddress.get(addresses.at(-1) ?? -1))
  }

  const scalesByDataset = new Map(
    datasets.map((each) => [each, scalesOf(each, shapeOf(each)?.length ?? 0)] as const),
  )
  const grown = new Map<number, number>()
  for (const [dataset, scales] of scalesByDataset) {
    for (const [axis, scale] of scales.entries())
      if (scale !== undefined && !isLimited(dataset, axis)) {
        const size = shapeOf(dataset)?.[axis] ?? 0
        grown.set(scale.address, Math.max(size, grown.get(scale.address) ?? 0))
      }
  }

  return {
    of(dataset) {
      const sizes = shapeOf(dataset) ?? []
      const before = new Map<number, number>()
      return sizes.map((size, axis) => {
        const scale = scalesByDataset.get(dataset)?.[axis]
        const name = scale && names.get(scale.address)
        // A dataset may be shorter than a dimension without a limit, which has grown for another one. The rest was never written.
        const whole = isLimited(dataset, axis) ? size : Math.max(size, grown.get(scale?.address ?? -1) ?? 0)
        if (name !== undefined) return { name, size: whole, isInvented: false }
        const nth = before.get(size) ?? 0
        before.set(size, nth + 1)
        return { name: inventedName(size, isLimited(dataset, axis), nth), size, isInvented: true }
      })
    },
    isOnlyDimension: (dataset) =>
      byAddress.has(dataset.address) && textOf(dataset, 'NAME').startsWith(NO_VARIABLE),
    named: scales.map((each) => ({
      name: names.get(each.address) ?? each.name,
      size: Math.max(shapeOf(each)?.[0] ?? 0, grown.get(each.address) ?? 0),
      group: each.group,
      isUnlimited: !isLimited(each, 0),
    })),
  }
}

/**
 * The name of the dimension that each scale stands for, by its address: its own name without the path of its group. If scales of
 * several groups have the same name and different sizes, those outside of the root have their paths.
 */
function scaleNames(scales: readonly FoundDataset[]): ReadonlyMap<number, string> {
  const sizes = new Map<string, Set<number>>()
  for (const scale of scales) {
    const of = sizes.get(scale.name) ?? new Set()
    sizes.set(scale.name, of.add(shapeOf(scale)?.[0] ?? 0))
  }
  const nameOf = ({ name, path }: FoundDataset): string => (sizes.get(name)?.size === 1 ? name : path)
  return new Map(scales.map((scale) => [scale.address, nameOf(scale)]))
}

function isLimited({ header }: FoundDataset, axis: number): boolean {
  return typeof header === 'string' || header.space?.maximumShape[axis] !== null
}

function textOf({ attributes }: FoundDataset, name: string): string {
  const value = attributes.get(name)
  return value?.kind === 'text' ? value.value : ''
}

function numbersOf({ attributes }: FoundDataset, name: string): readonly number[] {
  const value = attributes.get(name)
  return value?.kind === 'numbers' ? value.values.map(Number) : []
}
