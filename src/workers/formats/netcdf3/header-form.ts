import { isUtf8 } from 'node:buffer'
import type { FormNumbers } from '../arrays/formed-file.ts'
import { textOf } from './attribute.ts'
import type { Header } from './header.ts'
import { paddingOf } from './padding.ts'

/**
 * What headers have in common that say the same but for the number of records, the sizes of dimensions, the places of variables, and the texts
 * of global attributes. Files of one program have such headers, and to compare them takes a hundredth of the time to parse them.
 */
export interface HeaderForm {
  /** The parts of a header between the texts that differ. There is one more than there are such texts. */
  readonly parts: readonly HeaderPart[]
  /** Bytes of a size or a length, and of a place. */
  readonly countBytes: number
  readonly offsetBytes: number
  readonly dimensions: number
  /** The index of the unlimited dimension. -1: there is none. */
  readonly unlimited: number
  readonly variables: readonly FormVariable[]
}

interface FormVariable {
  /** Indices of dimensions of the header. */
  readonly dimensions: readonly number[]
  readonly isInRecords: boolean
  /** Of one element. */
  readonly bytes: number
}

/** Bytes of a header that are the same in all headers of a form, but for numbers. */
interface HeaderPart {
  /** The bytes, with zeros in place of the numbers. */
  readonly equal: Buffer
  /** Where the numbers are, ascending, and what each of them is: one of `Kind`. */
  readonly places: readonly number[]
  readonly kinds: readonly number[]
}

/** What a number is. `ignored`: the bytes of a variable, which `readHeader` ignores too. */
const Kind = Object.freeze({ records: 0, size: 1, ignored: 2, begin: 3 })

/** `CDF` and the version. */
const MAGIC_BYTES = 4

/** The type of text, as files have it. */
const CHAR = 2

/** Bytes of an element of each type, as in `external-types.ts`. */
const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8]

/** The form of a header that has been read without a fault from these bytes, which are all of it. */
export function formOf(bytes: Buffer, { dimensions, variables }: Header): HeaderForm {
  const version = bytes[MAGIC_BYTES - 1] ?? 0
  const countBytes = version === 5 ? 8 : 4
  const offsetBytes = version === 1 ? 4 : 8
  const parts: HeaderPart[] = []
  let places: number[] = []
  let kinds: number[] = []
  let from = 0
  let at = MAGIC_BYTES

  /** Takes a number that differs. */
  function number(kind: number): void {
    const length = kind === Kind.begin ? offsetBytes : countBytes
    places.push(at - from)
    kinds.push(kind)
    at += length
  }
  function endPart(): void {
    const equal = Buffer.from(bytes.subarray(from, at))
    for (const [index, place] of places.entries())
      equal.fill(0, place, place + (kinds[index] === Kind.begin ? offsetBytes : countBytes))
    parts.push({ equal, places, kinds })
    places = []
    kinds = []
  }
  function skip(length: number): void {
    at += length + paddingOf(length)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  function count(): number {
    at += countBytes
    return numberAt(view, at - countBytes, countBytes)
  }
  /** Skips the tag of a list. */
  function items(): number {
    at += 4
    return count()
  }
  function attributes(areTextsOpen: boolean): void {
    for (let remaining = items(); remaining > 0; remaining--) {
      const name = count()
      // The fill value is one byte and no text.
      const isText = bytes.toString('latin1', at, at + name) !== '_FillValue'
      skip(name)
      at += 4
      const type = view.getUint32(at - 4)
      if (areTextsOpen && isText && type === CHAR) {
        endPart()
        skip(count())
        from = at
      } else skip(count() * (TYPE_BYTES[type] ?? 0))
    }
  }

  number(Kind.records)
  items()
  for (const { size } of dimensions) {
    skip(count())
    // The unlimited dimension is the same one in all headers of the form.
    if (size === 0) at += countBytes
    else number(Kind.size)
  }
  attributes(true)
  items()
  for (const _ of variables) {
    skip(count())
    const rank = count()
    at += rank * countBytes
    attributes(false)
    at += 4
    number(Kind.ignored)
    number(Kind.begin)
  }
  endPart()
  return {
    parts,
    countBytes,
    offsetBytes,
    dimensions: dimensions.length,
    unlimited: dimensions.findIndex(({ size }) => size === 0),
    variables: variables.map(({ dimensions: ofVariable, isInRecords, type }) => ({
      dimensions: ofVariable,
      isInRecords,
      bytes: type.bytes,
    })),
  }
}

/** The most that a header of 4 bytes for a count says: it does not say how many records there are. */
const NO_RECORDS = 2 ** 32 - 1

/**
 * What the header of a file says beyond its form. `memory` has all `size` bytes of the file, from `at` on. Null: it is of another form, or has to be
 * parsed for another reason, as one that is damaged has.
 */
export function numbersIn(
  form: HeaderForm,
  memory: Uint8Array,
  at: number,
  size: number,
): FormNumbers | null {
  const { parts, countBytes, offsetBytes, dimensions, unlimited } = form
  const fileEnd = at + size
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength)
  const sizes: number[] = []
  const texts: number[] = []
  const begins: number[] = []
  let to = at
  let records = 0
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]
    if (part === undefined || to + part.equal.length > fileEnd || !isPart(part, form, memory, to)) return null
    const { equal, places, kinds } = part
    for (let nth = 0; nth < places.length; nth++) {
      const kind = kinds[nth]
      const value = numberAt(view, to + (places[nth] ?? 0), kind === Kind.begin ? offsetBytes : countBytes)
      if (value < 0) return null
      if (kind === Kind.begin) begins.push(value)
      else if (kind === Kind.size) {
        if (value === 0) return null
        sizes.push(value)
      } else if (kind === Kind.records) {
        if (value === NO_RECORDS && countBytes === 4) return null
        records = value
      }
    }
    to += equal.length
    if (index === parts.length - 1) break
    if (to + countBytes > fileEnd) return null
    const length = numberAt(view, to, countBytes)
    to += countBytes
    if (length < 0 || to + length > fileEnd) return null
    texts.push(bytesOfText(memory, to, length))
    to += length + paddingOf(length)
  }
  if (to > fileEnd) return null
  if (unlimited >= 0) sizes.splice(unlimited, 0, records)
  if (sizes.length !== dimensions) return null
  const recordBytes = recordBytesOf(form, sizes, begins, to - at, size)
  return recordBytes === null ? null : { sizes, texts, begins, recordBytes }
}

/** Memory for a part of a header, as large as needed so far. */
let room = Buffer.alloc(0)
let roomView = new DataView(room.buffer)

/** Whether a part of a header is equal but for its numbers. A few long comparisons take less time than one for each number. */
function isPart(
  { equal, places, kinds }: HeaderPart,
  { countBytes, offsetBytes }: HeaderForm,
  memory: Uint8Array,
  at: number,
): boolean {
  const { length } = equal
  // The first bytes mostly tell other forms apart.
  const first = places[0] ?? length
  if (equal.compare(memory, at, at + first, 0, first) !== 0) return false
  if (first === length) return true
  if (room.length < length) {
    room = Buffer.alloc(length)
    roomView = new DataView(room.buffer, room.byteOffset, length)
  }
  room.set(memory.subarray(at, at + length))
  for (let nth = 0; nth < places.length; nth++) {
    const place = places[nth] ?? 0
    roomView.setUint32(place, 0)
    if ((kinds[nth] === Kind.begin ? offsetBytes : countBytes) === 8) roomView.setUint32(place + 4, 0)
  }
  return equal.compare(room, 0, length) === 0
}

/** The bytes that a text has when it is read: those that are no UTF-8 are replaced, and NULs are left out. */
function bytesOfText(memory: Uint8Array, from: number, length: number): number {
  const stored = new Uint8Array(memory.buffer, memory.byteOffset + from, length)
  return isUtf8(stored) && !stored.includes(0) ? length : Buffer.byteLength(textOf(stored))
}

/**
 * The bytes from one record to the next. Null: variables do not lie one behind the other in the file, as nearly all do, so that where they lie
 * has to be checked otherwise.
 */
function recordBytesOf(
  { variables }: HeaderForm,
  sizes: readonly number[],
  begins: readonly number[],
  headerBytes: number,
  fileBytes: number,
): number | null {
  let end = headerBytes
  let first = -1
  let recordEnd = 0
  let recordBytes = 0
  let inRecords = 0
  let records = 0
  for (let index = 0; index < variables.length; index++) {
    const variable = variables[index]
    const begin = begins[index] ?? 0
    if (variable === undefined) return null
    const bytes = bytesOf(variable, sizes)
    if (!Number.isSafeInteger(bytes)) return null
    if (!variable.isInRecords) {
      // A variable without elements may begin anywhere behind the others.
      if (begin < end) return null
      end = begin + bytes
      continue
    }
    if (first < 0) {
      first = begin
      records = sizes[variable.dimensions[0] ?? -1] ?? 0
    } else if (begin < recordEnd) return null
    recordEnd = begin + bytes
    recordBytes += bytes + paddingOf(bytes)
    inRecords++
  }
  if (end > fileBytes) return null
  if (inRecords === 0 || records === 0) return recordBytes
  // The only variable in records is not padded.
  if (inRecords === 1) recordBytes = recordEnd - first
  const areInRecords = first >= end && recordEnd <= first + recordBytes
  return areInRecords && recordEnd + (records - 1) * recordBytes <= fileBytes ? recordBytes : null
}

/** Of all elements, or of those in one record. */
function bytesOf({ dimensions, isInRecords, bytes }: FormVariable, sizes: readonly number[]): number {
  let product = bytes
  for (let place = isInRecords ? 1 : 0; place < dimensions.length; place++)
    product *= sizes[dimensions[place] ?? -1] ?? 0
  return product
}

/** A number of 4 or 8 bytes. -1: it is beyond 2^53. */
function numberAt(view: DataView, at: number, length: number): number {
  if (length === 4) return view.getUint32(at)
  const high = view.getUint32(at)
  return high >= 2 ** 21 ? -1 : high * 2 ** 32 + view.getUint32(at + 4)
}
