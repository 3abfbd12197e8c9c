import type { FilterStructure } from '../../../../plan/source/structure.ts'
import type { StoredStructure } from '../../arrays/structure/stored-structure.ts'
import { createStructureBuilder } from '../../arrays/structure/structure-builder.ts'
import { filterTitle } from '../data/filters/filters.ts'
import type { Datatype } from '../data/structures/messages/datatype.ts'
import type { Hdf5Array, Hdf5Metadata } from '../hdf5-metadata.ts'
import { arrayName, attributesOf } from './arrays.ts'
import { type Dimensions, nameDimensions, variableName } from './dimensions.ts'
import type { DatasetHeader } from './headers.ts'
import { metadataOf } from './metadata-of.ts'
import type { FileObjects, FoundDataset } from './objects.ts'

/** What a file holds: the arrays that are read of it, and the objects of all its groups. */
export interface Hdf5Contents {
  readonly metadata: Hdf5Metadata
  readonly structure: StoredStructure
}

/** `objects` are those of all groups. `areGroupsWanted`: arrays are made of all groups rather than the root alone. */
export function contentsOf(objects: FileObjects, areGroupsWanted: boolean): Hdf5Contents {
  const metadata = metadataOf(areGroupsWanted ? objects : ofRoot(objects), areGroupsWanted)
  return { metadata, structure: structureOf(objects, metadata, areGroupsWanted) }
}

function ofRoot({ groups, datasets, base }: FileObjects): FileObjects {
  return {
    base,
    groups: groups.filter(({ path }) => path === ''),
    datasets: datasets.filter(({ group }) => group === ''),
  }
}

const OF_OTHER_GROUPS =
  'of a NetCDF file the variables of the root group are read; read_hdf5 reads all groups'

function structureOf(
  { groups, datasets }: FileObjects,
  { arrays, omitted }: Hdf5Metadata,
  areGroupsWanted: boolean,
): StoredStructure {
  const builder = createStructureBuilder()
  const byName = new Map(arrays.map((array) => [array.name, array]))
  const why = new Map(omitted.map(({ name, what }) => [name, `no column has ${what}`]))
  const dimensions = nameDimensions(datasets)
  for (const group of groups) builder.group(`/${group.path}`, attributesOf(group))
  addDimensions(datasets, dimensions, builder.dimension)
  for (const dataset of datasets) {
    if (dimensions.isOnlyDimension(dataset)) continue
    const { header } = dataset
    const path = arrayName(dataset)
    const localName = variableName(dataset.name)
    const isRead = areGroupsWanted || dataset.group === ''
    const type = typeof header === 'string' ? null : header.type
    const members = areGroupsWanted && type?.kind === 'compound' ? type.members : []
    const add = (name: string, of: string, typeName: string, note: string | null, isWhole: boolean): void => {
      const namedArray = isRead ? byName.get(of) : undefined
      // Of datasets whose names are the same as arrays, the first one is the array.
      const array = namedArray?.address === dataset.address ? namedArray : undefined
      const variable = {
        group: `/${dataset.group}`,
        name,
        type: typeName,
        ...storedAs(dataset, dimensions, array),
        note: array?.fault ?? note,
        array: array === undefined ? null : { group: '/', name: of },
      }
      builder.variable(variable, isWhole ? attributesOf(dataset) : [])
    }
    const note = !isRead ? OF_OTHER_GROUPS : members.length > 0 ? 'its members are read' : why.get(path)
    add(localName, path, type === null ? 'unknown' : datatypeName(type), note ?? null, true)
    for (const member of members) {
      const of = `${path}/${member.name}`
      add(`${localName}/${member.name}`, of, datatypeName(member.type), why.get(of) ?? null, false)
    }
  }
  return builder.finish()
}

/** The dimensions that datasets stand for, and those without a name in the file. */
function addDimensions(
  datasets: readonly FoundDataset[],
  dimensions: Dimensions,
  add: ReturnType<typeof createStructureBuilder>['dimension'],
): void {
  const named = dimensions.named
  const seen = new Set<string>()
  for (const { name, size, group, isUnlimited } of named) {
    seen.add(name)
    add({ group: `/${group}`, name, size, isUnlimited })
  }
  for (const dataset of datasets) {
    const { header } = dataset
    const maximum = typeof header === 'string' ? [] : (header.space?.maximumShape ?? [])
    for (const [axis, { name, size, isInvented }] of dimensions.of(dataset).entries()) {
      if (!isInvented || seen.has(name)) continue
      seen.add(name)
      add({ group: '/', name, size, isUnlimited: maximum[axis] === null })
    }
  }
}

function storedAs(dataset: FoundDataset, dimensions: Dimensions, array: Hdf5Array | undefined) {
  const { header } = dataset
  const datasetDimensions = array?.dimensions ?? dimensions.of(dataset)
  const { chunk, filters } = storageOf(header)
  return {
    dimensions: datasetDimensions.map(({ name }) => name),
    shape: datasetDimensions.map(({ size }) => size),
    chunk,
    shard: null,
    filters,
  }
}

function storageOf(header: DatasetHeader | string): {
  readonly chunk: readonly number[] | null
  readonly filters: readonly FilterStructure[]
} {
  if (typeof header === 'string' || typeof header.storage === 'string') return { chunk: null, filters: [] }
  const { layout, filters } = header.storage
  return {
    chunk: layout.kind === 'chunked' ? layout.chunk : null,
    filters: filters.map(({ id, values }) => ({ name: filterTitle(id), parameters: `[${values.join()}]` })),
  }
}

/** The most characters of the name of a compound. */
const MOST_CHARACTERS = 1024

/** How a listing names a type: as NumPy, `string(8)` for text of a fixed length, and a compound with its members. */
function datatypeName(type: Datatype): string {
  const { size } = type
  switch (type.kind) {
    case 'integer':
      return `${type.isSigned ? 'int' : 'uint'}${size * 8}${order(type)}`
    case 'float':
      return `float${size * 8}${order(type)}`
    case 'text':
      return size === 1 ? 'char' : type.storage === 'heap' ? 'string' : `string(${size})`
    case 'compound': {
      const members: string[] = []
      let remainingCharacters = MOST_CHARACTERS
      for (const { name, type: memberType } of type.members) {
        const member = `${name}: ${datatypeName(memberType)}`
        remainingCharacters -= member.length
        if (remainingCharacters < 0) break
        members.push(member)
      }
      if (members.length < type.members.length) members.push('…')
      return `compound {${members.join(', ')}}`
    }
    default:
      return 'what' in type ? type.what : String((type as { kind: string }).kind)
  }
}

function order({ isBigEndian, size }: { readonly isBigEndian: boolean; readonly size: number }): string {
  return isBigEndian && size > 1 ? ' big-endian' : ''
}
