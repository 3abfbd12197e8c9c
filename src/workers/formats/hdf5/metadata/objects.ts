import { isServiceError, ServiceError } from '../../../../plan/errors.ts'
import type { Datatype } from '../data/structures/datatype.ts'
import type { OpenedFile } from '../library/library.ts'
import { OBJECT_TYPE } from '../library/module.ts'
import { type FoundValue, readAttribute } from '../library/read-attribute.ts'
import { formOf } from './element-form.ts'
import type { DatasetHeader, ObjectHeaders } from './headers.ts'

/** The objects of a file, as the library tells them. */
export interface FileObjects {
  readonly groups: readonly FoundGroup[]
  readonly datasets: readonly FoundDataset[]
}

export interface FoundGroup {
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
const MAX_LINKS = 65_536
const MAX_ATTRIBUTES = 262_144

/** The most groups in each other. */
const MAX_DEPTH = 64

/** Bytes of a path. */
const MAX_PATH = 8192

/**
 * Finds the groups and datasets of a file, or those of its root group alone. Links may lead in circles, so a group that several
 * paths lead to is found once. Links that lead nowhere, or out of the file, are left out. `check` throws if the query was cancelled.
 */
export function findObjects(
  file: OpenedFile,
  headers: ObjectHeaders,
  areGroupsWanted: boolean,
  check: () => void,
): FileObjects {
  const { library, id } = file
  const groups: FoundGroup[] = []
  const datasets: FoundDataset[] = []
  const known = new Set<number>()
  let links = 0
  let attributes = 0

  function attributesOf(path: string, address: number): ReadonlyMap<string, FoundValue> {
    check()
    const names = library.get_attribute_names(id, path)
    const count = headers.countAttributesAt(address)
    // Of a damaged list the library returns none, and says nothing.
    if (count !== null && count !== names.length)
      throw new Error(`"${path}" has ${count} attributes, and ${names.length} are found`)
    attributes += names.length
    limit(attributes, MAX_ATTRIBUTES, 'attributes')
    const found = new Map<string, FoundValue>()
    const wrong = names.length === 0 ? null : headers.wrongAttributesAt(address)
    for (const name of names) {
      if (wrong?.has(name)) continue
      const value = readAttribute(file, path, name)
      if (value !== null) found.set(name, value)
    }
    return found
  }

  function walk(path: string, address: number, depth: number): void {
    if (known.has(address)) return
    known.add(address)
    limit(depth, MAX_DEPTH, 'groups in each other')
    groups.push({ path, attributes: attributesOf(`/${path}`, address) })
    const names = file.whole(() => library.get_names(id, `/${path}`, false))
    links += names.length
    limit(links, MAX_LINKS, 'links')
    for (const name of names) {
      const at = path === '' ? name : `${path}/${name}`
      if (at.length > MAX_PATH) continue
      const target = addressOf(file, `/${at}`)
      if (target === null) continue
      const type = library.get_type(id, `/${at}`)
      if (type === OBJECT_TYPE.group && areGroupsWanted) walk(at, target, depth + 1)
      if (type === OBJECT_TYPE.dataset) datasets.push(datasetAt(at, path, name, target))
    }
  }

  function datasetAt(path: string, group: string, name: string, address: number): FoundDataset {
    const header = headers.datasetAt(address)
    const found = { path, group, name, address, header }
    try {
      return { ...found, attributes: attributesOf(`/${path}`, address) }
    } catch (error) {
      // The library does not open all datasets of which this is known without it.
      const isBroken = isServiceError(error) || error instanceof WebAssembly.RuntimeError
      if (isBroken || isRead(header)) throw error
      return { ...found, attributes: new Map() }
    }
  }

  walk('', addressOf(file, '/') ?? 0, 0)
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

/** The address of the object that a path leads to. Null: it leads to none. */
function addressOf({ library, id }: OpenedFile, path: string): number | null {
  const bytes = Uint8Array.from(library.create_object_reference(id, path))
  const address = Number(new DataView(bytes.buffer).getBigUint64(0, true))
  return address === 0 ? null : address
}

function limit(count: number, most: number, what: string): void {
  if (count > most)
    throw new ServiceError('unreadable_file', `it has more than ${most} ${what}, which are not read`)
}
