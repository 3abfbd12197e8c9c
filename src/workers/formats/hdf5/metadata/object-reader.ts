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
import { type FoundValue, readValue } from './attribute-value.ts'
import { createLinkFollower } from './follow-links.ts'
import type { ObjectHeaders } from './headers.ts'
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
      for (const attribute of attributesIn(headers.messagesAt(address), structures, MAX_ATTRIBUTES)) {
        const value = readValue(attribute, structures, heap)
        if (value === null) continue
        remainingValues -= sizeOf(value)
        if (remainingValues < 0)
          throw fault(
            `its attributes have more than ${MAX_VALUES} numbers and characters, which are not read`,
          )
        attributeValues.set(attribute.name, value)
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
