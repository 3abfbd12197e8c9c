import { isUtf8 } from 'node:buffer'
import type { Attribute } from '../arrays/array-file.ts'
import { locateErrors } from '../error-location.ts'
import { fault } from '../fault.ts'
import { readAttribute } from './attribute.ts'
import { type ExternalType, externalType } from './external-types.ts'
import type { HeaderCursor } from './header-cursor.ts'
import { paddingOf } from './padding.ts'

/** The longest name that is read, in bytes of UTF-8. The libraries write 256 at most. */
const MAX_NAME_BYTES = 1024

/** The most dimensions, variables and attributes together. A file with 65 536 variables can describe each of them. */
const MAX_ITEMS = 1 << 18

/** The fewest bytes of an item of a list: the length of its name, the padded name, and a number. */
const MIN_ITEM_BYTES = 12

/** The format's tags of lists. 0 stands for an empty list. */
export const Tag = Object.freeze({ dimensions: 10, variables: 11, attributes: 12 })

/** Reads the parts of a header, in the widths of its version. Each call throws `unreadable_file`. */
export interface HeaderReader {
  /** A number of elements, a length, or an index. */
  count(): number
  /** A place in the file. */
  offset(): number
  type(): ExternalType
  /** The number of records. Null: the file was written as a stream and does not say. */
  records(): number | null
  /** A list of items that begin with their names. The names are distinct. */
  list<T>(tag: number, what: string, item: (name: string) => T): T[]
  attributes(): Attribute[]
}

/** Reads the header of a file of version 1, 2 or 5. */
export function createHeaderReader(cursor: HeaderCursor, version: number): HeaderReader {
  const count = version === 5 ? cursor.uint64 : cursor.uint32
  const type = (): ExternalType => externalType(cursor.uint32(), version)
  let items = 0

  const list: HeaderReader['list'] = (tag, what, item) => {
    const { position } = cursor
    const storedTag = cursor.uint32()
    const length = count()
    if (storedTag !== tag && (storedTag !== 0 || length !== 0))
      throw fault(`the list at ${position} has the tag ${storedTag}, and ${what} have ${tag}`)
    items += length
    if (length * MIN_ITEM_BYTES > cursor.remainingBytes || items > MAX_ITEMS)
      throw fault(`the list at ${position} has ${length} ${what}, more than it can have`)
    const names = new Set<string>()
    return Array.from({ length }, () => {
      const name = readName(cursor, count())
      if (names.has(name)) throw fault(`two of the ${what} are named "${name}"`)
      names.add(name)
      return item(name)
    })
  }

  return {
    count,
    offset: version === 1 ? cursor.uint32 : cursor.uint64,
    type,
    records() {
      const stored = cursor.take(version === 5 ? 8 : 4)
      const records = version === 5 ? stored.getBigUint64(0) : BigInt(stored.getUint32(0))
      if (records === (version === 5 ? 2n ** 64n : 2n ** 32n) - 1n) return null
      if (records > BigInt(Number.MAX_SAFE_INTEGER)) throw fault(`it says that it has ${records} records`)
      return Number(records)
    },
    list,
    attributes: () =>
      list(Tag.attributes, 'attributes', (name) =>
        locateErrors(`attribute "${name}"`, () => readAttribute(name, type(), count(), cursor)),
      ).filter((each) => each !== null),
  }
}

function readName(cursor: HeaderCursor, length: number): string {
  const { position } = cursor
  if (length === 0 || length > MAX_NAME_BYTES) throw fault(`the name at ${position} has ${length} bytes`)
  const name = cursor.ascii(length) ?? otherName(cursor.take(length), position)
  cursor.skip(paddingOf(length))
  return name
}

/** A name that is no UTF-8 is one in ISO 8859-1, in which old programs wrote, and may have its control characters beyond ASCII. */
function otherName({ buffer, byteOffset, byteLength }: DataView, position: number): string {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  const isUnicode = isUtf8(bytes)
  const name = bytes.toString(isUnicode ? 'utf8' : 'latin1')
  if (isUnicode ? /\p{Cc}/u.test(name) : bytes.some((byte) => byte < 0x20 || byte === 0x7f))
    throw fault(`the name at ${position} has control characters`)
  return name
}
