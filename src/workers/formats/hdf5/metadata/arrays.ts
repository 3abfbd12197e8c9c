import { NETCDF4_STORAGE } from '../../../../plan/output/netcdf4-storage.ts'
import { productOf } from '../../../../plan/product-of.ts'
import type { Omitted } from '../../../../plan/source/omitted.ts'
import type { Attribute } from '../../arrays/array-file.ts'
import type { Hdf5Array } from '../hdf5-metadata.ts'
import type { Dimensions } from './dimensions.ts'
import { variableName } from './dimensions.ts'
import { formOf, memberFormOf, type ValueForm } from './element-form.ts'
import type { DatasetHeader } from './headers.ts'
import type { FoundDataset } from './objects.ts'

/** The attributes of an object that are shown, in their order. */
export function attributesOf({ attributes }: Pick<FoundDataset, 'attributes'>): readonly Attribute[] {
  return [...attributes].flatMap(([name, value]) =>
    NETCDF4_STORAGE.has(name) || value.kind === 'references' ? [] : [{ name, value }],
  )
}

/** The name of the array that a dataset is: its path, in which the name may be another one. */
export function arrayName({ group, name }: FoundDataset): string {
  return group === '' ? variableName(name) : `${group}/${variableName(name)}`
}

/** What a dataset is here. */
export interface ArraysOfDataset {
  /** One, or those of the members of a compound. */
  readonly arrays: readonly Hdf5Array[]
  /** The values of the dataset, or of members of it, that are no arrays. */
  readonly omitted: readonly Omitted[]
}

/** The arrays of a dataset. `areMembersWanted`: also those of the members of a compound. */
export function arraysOf(
  dataset: FoundDataset,
  dimensions: Dimensions,
  areMembersWanted: boolean,
): ArraysOfDataset {
  const name = arrayName(dataset)
  const nothing = (what: string): ArraysOfDataset => ({ arrays: [], omitted: [{ name, what }] })
  const { header, address } = dataset
  if (dimensions.isOnlyDimension(dataset)) return { arrays: [], omitted: [] }
  if (typeof header === 'string') return nothing(header)
  const { type, space } = header
  if (space === null) return nothing('no values')
  const elements = productOf(space.shape)
  if (!(elements * type.size <= Number.MAX_SAFE_INTEGER))
    return nothing(`a shape of ${space.shape.join(' × ')} elements`)
  const storage = {
    dimensions: dimensions.of(dataset),
    address,
    ...space,
    ...storageOf(header, space.shape.length, elements * type.size),
    elementBytes: type.size,
  }
  const arrays: Hdf5Array[] = []
  const omitted: Omitted[] = []
  const add = (name: string, form: ValueForm | string, offset: number, attributes: readonly Attribute[]) => {
    if (typeof form === 'string') {
      omitted.push({ name, what: form })
      return
    }
    const [storedBytes, fault] = [elements * form.valueBytes, storage.fault ?? form.fault]
    arrays.push({ name, ...storage, ...form, fault, attributes, offset, storedBytes })
  }
  if (type.kind !== 'compound' || !areMembersWanted) add(name, formOf(type), 0, attributesOf(dataset))
  else
    for (const member of type.members)
      add(`${name}/${member.name}`, memberFormOf(member.type), member.offset, [])
  return { arrays, omitted }
}

/** How a dataset is stored whose elements have so many bytes together, or why they are not read. */
function storageOf(
  { storage }: DatasetHeader,
  rank: number,
  elementBytes: number,
): Pick<Hdf5Array, 'chunk' | 'isAtomic' | 'filters' | 'fault' | 'elementsAt'> {
  const unread = { chunk: null, isAtomic: false, filters: [], elementsAt: null }
  if (typeof storage === 'string') return { ...unread, fault: storage }
  const { layout, filters } = storage
  if (layout.kind !== 'chunked') {
    const isPlain = layout.kind === 'contiguous' && filters.length === 0
    const elementsAt = isPlain && (layout.bytes ?? elementBytes) >= elementBytes ? layout.address : null
    return { chunk: null, isAtomic: false, filters, fault: null, elementsAt }
  }
  const { chunk } = layout
  if (chunk.length !== rank)
    return { ...unread, fault: `it has chunks of ${chunk.length} dimensions, and ${rank} itself` }
  return { chunk, isAtomic: filters.length > 0, filters, fault: null, elementsAt: null }
}
