import type { ByteSource } from '../../../store/byte-source.ts'
import { fault } from '../../fault.ts'
import { readHeader } from './header.ts'
import { TAG, type Tag, tagName } from './tags.ts'

/** The tags of the first image of a file. Each member throws `unreadable_file` for a value that lies outside of the file. */
export interface Directory {
  readonly isBigEndian: boolean
  /** The first integer of a tag. Null: there is no such tag. */
  number(tag: Tag): number | null
  /** All numbers of a tag, at most `most`. Null: there is no such tag. */
  numbers(tag: Tag, most: number): readonly number[] | null
  /** The text of a tag up to its first zero. Null: there is no such tag, or it has more than `MOST_TEXT_BYTES`, or no text. */
  text(tag: Tag): string | null
  /** The bytes of a tag that has any others than numbers, at most `most`. Null: there is no such tag. */
  bytes(tag: Tag, most: number): Uint8Array | null
  /** Where the integers of a tag are. They are not read. Null: there is no such tag. */
  table(tag: Tag): IntegerTable | null
}

/** Unsigned integers that follow each other in a file. */
export interface IntegerTable {
  readonly tag: Tag
  readonly place: number
  readonly count: number
  readonly bytes: 1 | 2 | 4 | 8
}

/** Longer texts are left out. */
const MOST_TEXT_BYTES = 1 << 20

/** As much is read at first: the directory and the values that most programs write behind it. */
const FRONT_BYTES = 4096

/** The most tags of a directory, which has some twenty. */
const MOST_ENTRIES = 4096

/** An entry of the directory. `place` is that of its values, in the entry or elsewhere. */
interface Entry {
  readonly type: number
  readonly count: number
  readonly place: number
}

/** Bytes of a value of each type. */
const TYPE_BYTES: Readonly<Record<number, 1 | 2 | 4 | 8>> = Object.freeze({
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
})

/** The types of unsigned integers: bytes, 16, 32 and 64 bits, and places of directories. */
const UNSIGNED: readonly number[] = Object.freeze([1, 3, 4, 13, 16, 18])
const TEXT = 2
const FLOAT = 11
const DOUBLE = 12

/** Reads the first directory of a file, which is the only one that counts. Throws `unreadable_file`. */
export function readDirectory(source: ByteSource): Directory {
  const { isBigEndian, isBig, directory } = readHeader(source)
  const front = source.read(0, Math.min(source.size, FRONT_BYTES))
  const isLittle = !isBigEndian

  /** The bytes at a place, which are read if they are not at the front. */
  function viewAt(place: number, length: number, what: string): DataView {
    if (!(place >= 0 && length >= 0 && place + length <= source.size))
      throw fault(`${what} lies outside of the file, at ${place} with ${length} bytes`)
    if (place + length <= front.length) return new DataView(front.buffer, front.byteOffset + place, length)
    const bytes = source.read(place, length)
    return new DataView(bytes.buffer, bytes.byteOffset, length)
  }

  function readEntries(): ReadonlyMap<number, Entry> {
    const [countBytes, entryBytes, inlineBytes] = isBig ? [8, 20, 8] : [2, 12, 4]
    const what = 'its first directory'
    const head = viewAt(directory, countBytes, what)
    const count = isBig ? Number(head.getBigUint64(0, isLittle)) : head.getUint16(0, isLittle)
    if (count > MOST_ENTRIES) throw fault(`${what} has ${count} tags, more than ${MOST_ENTRIES}`)
    const view = viewAt(directory + countBytes, count * entryBytes, what)
    const entries = new Map<number, Entry>()
    for (let at = 0; at < count * entryBytes; at += entryBytes) {
      const tag = view.getUint16(at, isLittle)
      const type = view.getUint16(at + 2, isLittle)
      const values = isBig ? Number(view.getBigUint64(at + 4, isLittle)) : view.getUint32(at + 4, isLittle)
      const valueAt = at + entryBytes - inlineBytes
      const isInline = values * (TYPE_BYTES[type] ?? 1) <= inlineBytes
      const place = isInline
        ? directory + countBytes + valueAt
        : isBig
          ? Number(view.getBigUint64(valueAt, isLittle))
          : view.getUint32(valueAt, isLittle)
      // Of a tag that is there twice the first one counts, as in libtiff.
      if (!entries.has(tag)) entries.set(tag, { type, count: values, place })
    }
    return entries
  }

  const entries = readEntries()

  /** Null: there is none, or it has no values. */
  function entryOf(tag: Tag): Entry | null {
    const entry = entries.get(TAG[tag])
    return entry === undefined || entry.count === 0 ? null : entry
  }

  function valuesOf(tag: Tag, { type, count, place }: Entry, most: number): readonly number[] {
    const bytes = TYPE_BYTES[type]
    if (bytes === undefined || !(UNSIGNED.includes(type) || type === FLOAT || type === DOUBLE))
      throw fault(`its ${tagName(tag)} has the type ${type}, which has no numbers`)
    if (count > most) throw fault(`its ${tagName(tag)} has ${count} values, more than ${most}`)
    const view = viewAt(place, count * bytes, `its ${tagName(tag)}`)
    return Array.from({ length: count }, (_, index) => {
      if (type === FLOAT) return view.getFloat32(4 * index, isLittle)
      if (type === DOUBLE) return view.getFloat64(8 * index, isLittle)
      return unsignedAt(view, index * bytes, bytes, isLittle)
    })
  }

  return {
    isBigEndian,
    number(tag) {
      const entry = entryOf(tag)
      if (entry === null) return null
      const [value = 0] = valuesOf(tag, { ...entry, count: 1 }, 1)
      if (!Number.isSafeInteger(value)) throw fault(`its ${tagName(tag)} is ${value}, and no integer`)
      return value
    },
    numbers(tag, most) {
      const entry = entryOf(tag)
      return entry && valuesOf(tag, entry, most)
    },
    text(tag) {
      const entry = entryOf(tag)
      if (entry === null) return null
      const { type, count, place } = entry
      if (type !== TEXT || count > MOST_TEXT_BYTES) return null
      const view = viewAt(place, count, `its ${tagName(tag)}`)
      const bytes = Buffer.from(view.buffer, view.byteOffset, count)
      const end = bytes.indexOf(0)
      return bytes.toString('utf8', 0, end < 0 ? count : end)
    },
    bytes(tag, most) {
      const entry = entryOf(tag)
      if (entry === null) return null
      const { type, count, place } = entry
      if (TYPE_BYTES[type] !== 1) throw fault(`its ${tagName(tag)} has the type ${type}, which has no bytes`)
      if (count > most) throw fault(`its ${tagName(tag)} has ${count} bytes, more than ${most}`)
      const { buffer, byteOffset } = viewAt(place, count, `its ${tagName(tag)}`)
      return new Uint8Array(buffer, byteOffset, count).slice()
    },
    table(tag) {
      const entry = entryOf(tag)
      if (entry === null) return null
      const { type, count, place } = entry
      const bytes = TYPE_BYTES[type]
      if (bytes === undefined || !UNSIGNED.includes(type))
        throw fault(`its ${tagName(tag)} has the type ${type}, which has no unsigned integers`)
      if (!(place + count * bytes <= source.size))
        throw fault(`its ${tagName(tag)} lies outside of the file, at ${place} with ${count * bytes} bytes`)
      return { tag, place, count, bytes }
    },
  }
}

/** An integer of so many bytes. It is rounded if it is beyond 2^53, which no place or count of a file is. */
export function unsignedAt(view: DataView, at: number, bytes: 1 | 2 | 4 | 8, isLittle: boolean): number {
  if (bytes === 1) return view.getUint8(at)
  if (bytes === 2) return view.getUint16(at, isLittle)
  return bytes === 4 ? view.getUint32(at, isLittle) : Number(view.getBigUint64(at, isLittle))
}
