import { isServiceError } from '../../../../plan/errors.ts'
import { fault } from '../../fault.ts'
import type { Datatype } from '../data/structures/messages/datatype.ts'
import type { FoundValue } from './attribute-value.ts'
import { formOf } from './element-form.ts'
import type { DatasetHeader, ObjectHeaders } from './headers.ts'

/** The objects of a file. */
export interface FileObjects {
  readonly groups: readonly FoundGroup[]
  readonly datasets: readonly FoundDataset[]
  /** The place in the file that is address 0. */
  readonly base: number
}

interface FoundGroup {
  /** Without a slash at its beginning. The root is ''. */
  readonly path: string
  readonly attributes: ReadonlyMap<string, FoundValue>
}

export interface FoundDataset extends FoundGroup {
  /** The path of its group, and its name there. */
  readonly group: string
  readonly name: string
  /** The address of the object header. */
  readonly address: number
  /** A text: it cannot be read, and why. */
  readonly header: DatasetHeader | string
}

/** The stored size of a dataset along each dimension. Null: it has no elements. */
export function shapeOf({ header }: FoundDataset): readonly number[] | null {
  return typeof header === 'string' ? null : (header.space?.shape ?? null)
}

/** The most links of a file, and the most attributes. */
export const MAX_LINKS = 65_536
export const MAX_ATTRIBUTES = 262_144

/** The most groups in each other. */
const MAX_DEPTH = 64

/** Bytes of a path. */
const MAX_PATH = 8192

/** What an object is. Named types are others. */
export type ObjectKind = 'group' | 'dataset' | 'other'

/** Reads the objects of a file, one after the other. Paths have no slash at their beginning; that of the root is ''. */
export interface ObjectReader {
  /** The address of the object header of the root. */
  readonly root: number
  attributesOf(path: string, address: number): ReadonlyMap<string, FoundValue>
  /** The names of the links of a group, which has this path and address. */
  namesIn(path: string, address: number): readonly string[]
  /** What the link with a path leads to, which is one of the group at an address. Null: to nothing in this file. */
  objectAt(
    path: string,
    name: string,
    group: number,
  ): { readonly address: number; readonly kind: ObjectKind } | null
}

/**
 * Finds the groups and datasets of a file, or those of its root group alone. Links may lead in circles, so a group that several
 * paths lead to is found once. Links that lead nowhere, or out of the file, are left out. `check` throws if the query was cancelled.
 */
export function findObjects(
  reader: ObjectReader,
  headers: ObjectHeaders,
  areGroupsWanted: boolean,
  check: () => void,
): Pick<FileObjects, 'groups' | 'datasets'> {
  const groups: FoundGroup[] = []
  const datasets: FoundDataset[] = []
  const visitedGroups = new Set<number>()
  let links = 0
  let attributes = 0

  function attributesOf(path: string, address: number): ReadonlyMap<string, FoundValue> {
    check()
    const values = inObject(path, address, () => reader.attributesOf(path, address))
    attributes += values.size
    limit(attributes, MAX_ATTRIBUTES, 'attributes')
    return values
  }

  function walk(path: string, address: number, depth: number): void {
    if (visitedGroups.has(address)) return
    visitedGroups.add(address)
    limit(depth, MAX_DEPTH, 'groups in each other')
    groups.push({ path, attributes: attributesOf(path, address) })
    const names = inObject(path, address, () => reader.namesIn(path, address))
    links += names.length
    limit(links, MAX_LINKS, 'links')
    for (const name of names) {
      const at = path === '' ? name : `${path}/${name}`
      const object =
        at.length > MAX_PATH ? null : inObject(path, address, () => reader.objectAt(at, name, address))
      if (object?.kind === 'group' && areGroupsWanted) walk(at, object.address, depth + 1)
      if (object?.kind === 'dataset') datasets.push(datasetAt(at, path, name, object.address))
    }
  }

  function datasetAt(path: string, group: string, name: string, address: number): FoundDataset {
    const header = headers.datasetAt(address)
    const dataset = { path, group, name, address, header }
    try {
      return { ...dataset, attributes: attributesOf(path, address) }
    } catch (error) {
      if (!isServiceError(error) || error.code !== 'unreadable_file' || isRead(header)) throw error
      return { ...dataset, attributes: new Map() }
    }
  }

  walk('', reader.root, 0)
  return { groups, datasets }
}

/** Whether all elements of a dataset are read. */
function isRead(header: DatasetHeader | string): boolean {
  return typeof header !== 'string' && typeof header.storage !== 'string' && isPlain(header.type)
}

function isPlain(type: Datatype): boolean {
  if (type.kind === 'compound') return type.members.every((member) => isPlain(member.type))
  const form = formOf(type)
  return typeof form !== 'string' && form.fault === null
}

/** Runs work on an object, and names it in the message of a fault. */
function inObject<T>(path: string, address: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const isFault = isServiceError(error) && error.code === 'unreadable_file'
    if (!isFault && !(error instanceof RangeError)) throw error
    const what = isFault ? error.message : 'it is damaged'
    throw fault(`its object "/${path}", whose header is at address ${address}: ${what}`, { cause: error })
  }
}

function limit(count: number, most: number, what: string): void {
  if (count > most) throw fault(`it has more than ${most} ${what}, which are not read`)
}
