import type { Omitted } from '../../../../plan/source/omitted.ts'
import type { Store } from '../../../store/store.ts'
import type { Attribute } from '../../arrays/array-file.ts'
import { locateErrors } from '../../error-location.ts'
import { fault } from '../../fault.ts'
import { groupsFound } from '../../groups-found.ts'
import type { ZarrArray } from '../stored-zarr.ts'
import { type ArrayMetadata, zarrArray } from './array-metadata.ts'
import { dimensionNames } from './dimension-names.ts'
import { type Hierarchy, leafGroups, type Node, nameOf } from './hierarchy.ts'
import { attributesOf, maskOf, meaningOf } from './meaning.ts'
import { show } from './members.ts'
import { requireFewColumns } from './most-columns.ts'
import { arrayOfV2 } from './v2/array.ts'
import { hierarchyOfV2 } from './v2/hierarchy.ts'
import { arrayOfV3 } from './v3/array.ts'
import { hierarchyOfV3 } from './v3/hierarchy.ts'

/** A group that is a dataset. */
export interface ZarrGroup {
  /** In the order of the UTF-8 bytes of their names. */
  readonly arrays: readonly ZarrArray[]
  /** Those of the group, and of arrays that are left out, by the names of their columns. */
  readonly attributes: readonly Attribute[]
  readonly omitted: readonly Omitted[]
}

/**
 * Reads what the metadata of a store say of the group that the plan names, or else of the only leaf group in `wanted`; null: in the store. An array can be a
 * store too. Throws `groupsFound` if there are several, and `unreadable_file`.
 */
export function openGroup(store: Store, wanted: string | null): ZarrGroup {
  const hierarchy = hierarchyOf(store)
  const { root } = hierarchy
  if (root.kind !== 'array') return groupAt(hierarchy, findGroup(hierarchy, store, wanted), store)
  if (wanted !== null) throw fault(`it is an array, and has no group ${show(wanted)}`)
  return groupAt(hierarchy, root, store)
}

export function hierarchyOf(store: Store): Hierarchy {
  return store.open('zarr.json') === null ? hierarchyOfV2(store) : hierarchyOfV3(store)
}

/** A group of a store, or an array, which is a group of one array. Throws `unreadable_file` and `memory_limit`. */
export function groupAt(hierarchy: Hierarchy, group: Node, store: Store): ZarrGroup {
  if (group.kind === 'array') return groupOf([group], [], store)
  const arrays = hierarchy.nodesIn(group).filter(({ kind }) => kind === 'array')
  return groupOf(arrays, prefixNames('', attributesOf(group.attributes)), store)
}

function findGroup(hierarchy: Hierarchy, { file }: Store, wanted: string | null): Node {
  const key = file.folder?.group
  if (key === undefined) {
    const top = wanted === null ? hierarchy.root : hierarchy.nodeOf(wanted)
    if (top?.kind !== 'group') throw noGroup(hierarchy, wanted ?? '')
    const [only = top, ...others] = leafGroups(hierarchy, top)
    if (others.length === 0) return only
    throw groupsFound(
      file.path,
      [only, ...others].map((each) => each.key),
    )
  }
  const group = hierarchy.nodeOf(key)
  if (group?.kind === 'group') return group
  throw fault(`it has no group ${show(key)}`)
}

/** The most groups that an error names. */
const MOST_NAMED = 10

function noGroup(hierarchy: Hierarchy, wanted: string): Error {
  const keys = leafGroups(hierarchy).flatMap(({ key }) => (key === '' ? [] : show(key)))
  const has = keys.length === 0 ? 'none' : keys.slice(0, MOST_NAMED).join(', ')
  return fault(
    `it has no group ${show(wanted)}, which group names; it has ${has}${keys.length > MOST_NAMED ? ' and others' : ''}`,
  )
}

function groupOf(nodes: readonly Node[], attributes: readonly Attribute[], store: Store): ZarrGroup {
  const arrays: ZarrArray[] = []
  const others: Attribute[] = []
  const omitted: Omitted[] = []
  for (const node of nodes) {
    const name = arrayName(node, store)
    const array = locateErrors(`"${node.from}", array ${show(name)}`, () => arrayOf(node, name))
    if (typeof array !== 'string') arrays.push(array)
    else {
      omitted.push({ name, what: array })
      others.push(...prefixNames(name, attributesOf(node.attributes)))
    }
  }
  const ofArrays = arrays.reduce((sum, array) => sum + 1 + array.attributes.length, 0)
  requireFewColumns(ofArrays + attributes.length + others.length)
  return { arrays, attributes: [...attributes, ...others], omitted }
}

/** What the document of an array says of it. A text: no column can have its values, which are these, in the plural. */
export function metadataOfArray({ version, document }: Node): ArrayMetadata | string {
  return version === 2 ? arrayOfV2(document) : arrayOfV3(document)
}

/** A text: no column can have its values. */
function arrayOf(node: Node, name: string): ZarrArray | string {
  const { key, document, attributes: json } = node
  const metadata = metadataOfArray(node)
  if (typeof metadata === 'string') return metadata
  const attributes = attributesOf(json)
  return zarrArray(metadata, {
    name,
    folder: key,
    dimensions: dimensionNames(document, json, metadata.shape.length),
    attributes,
    meaning: meaningOf(attributes, metadata.form, maskOf(node, metadata.form)),
  })
}

function prefixNames(owner: string, attributes: readonly Attribute[]): readonly Attribute[] {
  return attributes.map(({ name, value }) => ({ name: `${owner}.${name}`, value }))
}

/** The name of the array of a node. */
export function arrayName({ key }: Node, store: Store): string {
  return key === '' ? nameOfStore(store) : nameOf(key)
}

/** The name of an array that is a store by itself: that of its folder, without `.zarr`. */
function nameOfStore({ file }: Store): string {
  return nameOf(file.location).replace(/\.zarr$/i, '')
}
