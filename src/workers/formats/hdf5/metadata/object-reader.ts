import type { ByteSource } from '../../../store/byte-source.ts'
import { fault } from '../../fault.ts'
import { createHeap } from '../data/heap.ts'
import type { LinkTarget } from '../data/structures/groups/link-target.ts'
import { linksOf } from '../data/structures/groups/links.ts'
import { rootAddress } from '../data/structures/groups/root-group.ts'
import { attributesIn } from '../data/structures/messages/attributes.ts'
import { type HeaderMessage, MESSAGE } from '../data/structures/object-header.ts'
import type { Structures } from '../data/structures/structures.ts'
import type { Superblock } from '../data/structures/superblock.ts'
import type { FoundValue } from './attribute-value.ts'
import type { ObjectHeaders } from './headers.ts'
import { readAttribute } from './known-attributes.ts'
import { MAX_ATTRIBUTES, MAX_LINKS, type ObjectKind, type ObjectReader } from './objects.ts'

/** The most numbers and characters of all attributes. They are several times as long in memory. */
const MAX_VALUES = 4 << 20

/** Reads objects from their structures in the file. Throws `unreadable_file`. */
export function createObjectReader(
  source: ByteSource,
  superblock: Superblock,
  structures: Structures,
  headers: ObjectHeaders,
): ObjectReader {
  const heap = createHeap(structures)
  let remainingValues = MAX_VALUES
  /** The links of groups by their addresses. */
  const members = new Map<number, ReadonlyMap<string, LinkTarget>>()
  let linksRead = 0

  function linksAt(address: number): ReadonlyMap<string, LinkTarget> {
    const cachedMembers = members.get(address)
    if (cachedMembers !== undefined) return cachedMembers
    const links = linksOf(headers.messagesAt(address), structures, MAX_LINKS)
    const targetsByName = new Map(links.map((link) => [link.name, link.target]))
    if (targetsByName.size !== links.length) throw fault('a group has several links of one name')
    // Groups that are only on the way of a path count too: many of them may share one list.
    linksRead += links.length
    if (linksRead > MAX_LINKS) throw fault(`its groups have more than ${MAX_LINKS} links, which are not read`)
    members.set(address, targetsByName)
    return targetsByName
  }

  const root = rootAddress(source, superblock)
  const follow = createLinkFollower(root, (address, name) => {
    const isGroup = members.has(address) || kindOf(headers.messagesAt(address)) === 'group'
    return isGroup ? (linksAt(address).get(name) ?? null) : null
  })

  return {
    root,
    attributesOf(_, address) {
      const attributeValues = new Map<string, FoundValue>()
      const messages = headers.messagesAt(address)
      const read = (body: DataView, order: number | undefined) => {
        const { name, value } = readAttribute(body, structures, heap)
        return order === undefined ? { name, value } : { name, value, order }
      }
      for (const { name, value } of attributesIn(messages, structures, MAX_ATTRIBUTES, read)) {
        if (value === null) continue
        remainingValues -= sizeOf(value)
        if (remainingValues < 0)
          throw fault(
            `its attributes have more than ${MAX_VALUES} numbers and characters, which are not read`,
          )
        attributeValues.set(name, value)
      }
      return attributeValues
    },
    namesIn: (_, address) => [...linksAt(address).keys()],
    objectAt(_, name, group) {
      const address = follow(group, name)
      return address === null ? null : { address, kind: kindOf(headers.messagesAt(address)) }
    },
  }
}

/** What an object is whose header has these messages. */
function kindOf(messages: readonly HeaderMessage[]): ObjectKind {
  const has = (type: number): boolean => messages.some((message) => message.type === type)
  if (has(MESSAGE.linkInfo) || has(MESSAGE.symbolTable)) return 'group'
  return has(MESSAGE.datatype) && has(MESSAGE.dataspace) ? 'dataset' : 'other'
}

/** The numbers and characters of a value. */
function sizeOf(value: FoundValue): number {
  if (value.kind === 'references') return value.lists.reduce((sum, { length }) => sum + length + 1, 0)
  if (value.kind === 'texts') return value.values.reduce((sum, { length }) => sum + length + 1, 0)
  if (value.kind === 'numbers') return value.values.length
  return value.kind === 'text' ? value.value.length : 1
}

/** The most links to paths on the way to an object, as in the HDF5 library. */
const MAX_PATHS_FOLLOWED = 16

/** The most characters of a path that is followed, and the most names of all paths of a file. */
const MAX_PATH = 8192
const MAX_NAMES = 262_144

/**
 * A function that finds the address of the object that the link of a group leads to. Null: it leads to none in this file, or through
 * too many paths, as those do that lead in circles. `targetOf` is what a link leads to, null also if there is no such group or link.
 */
export function createLinkFollower(
  root: number,
  targetOf: (group: number, name: string) => LinkTarget,
): (group: number, name: string) => number | null {
  let namesFollowed = 0

  function addressOf(group: number, name: string, budget: { paths: number }): number | null {
    const target = targetOf(group, name)
    if (typeof target !== 'string') return target
    if (budget.paths === 0 || target.length > MAX_PATH) return null
    budget.paths--
    let address: number | null = target.startsWith('/') ? root : group
    for (const each of target.split('/')) {
      if (each === '' || each === '.') continue
      if (++namesFollowed > MAX_NAMES)
        throw fault(`the paths of its links have more than ${MAX_NAMES} names, which are not followed`)
      address = addressOf(address, each, budget)
      if (address === null) return null
    }
    return address
  }

  return (group, name) => addressOf(group, name, { paths: MAX_PATHS_FOLLOWED })
}
