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
  /** The bytes that headers of the form have between their numbers and texts, one after the other. */
  readonly equal: Buffer
  /** How many of these bytes are in front of each number and text. */
  readonly lengths: Uint32Array
  /** What each of them is: one of `Part`. */
  readonly parts: Uint8Array
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

/** `ignored`: the bytes of a variable, which `readHeader` ignores too. */
const Part = Object.freeze({ records: 0, size: 1, text: 2, ignored: 3, begin: 4 })

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
  const equal: Buffer[] = []
  const lengths: number[] = []
  const parts: number[] = []
  let from = 0
  let at = MAGIC_BYTES

  function part(kind: number, length: number): void {
    equal.push(bytes.subarray(from, at))
    lengths.push(at - from)
    parts.push(kind)
    at += length
    from = at
  }
  function skip(length: number): void {
    at += length + paddingOf(length)
  }
  function count(): number {
    at += countBytes
    return numberAt(bytes, at - countBytes, countBytes)
  }
  /** Skips the tag of a list. */
  function items(): number {
    at += 4
    return count()
  }
  function attributes(areTextsOpen: boolean): void {
    for (let left = items(); left > 0; left--) {
      const name = count()
      // The fill value is one byte and no text.
      const isText = bytes.toString('latin1', at, at + name) !== '_FillValue'
      skip(name)
      at += 4
      const type = numberAt(bytes, at - 4, 4)
      if (areTextsOpen && isText && type === CHAR) {
        const length = numberAt(bytes, at, countBytes)
        part(Part.text, countBytes + length + paddingOf(length))
      } else skip(count() * (TYPE_BYTES[type] ?? 0))
    }
  }

  part(Part.records, countBytes)
  items()
  for (const { size } of dimensions) {
    skip(count())
    // The unlimited dimension is the same one in all headers of the form.
    if (size === 0) at += countBytes
    else part(Part.size, countBytes)
  }
  attributes(true)
  items()
  for (const _ of variables) {
    skip(count())
    const rank = count()
    at += rank * countBytes
    attributes(false)
    at += 4
    part(Part.ignored, countBytes)
    part(Part.begin, offsetBytes)
  }
  equal.push(bytes.subarray(from, at))
  return {
    equal: Buffer.concat(equal),
    lengths: Uint32Array.from(lengths),
    parts: Uint8Array.from(parts),
    countBytes,
    offsetBytes,
    dimensions: dimensions.length,
    unlimited: dimensions.findIndex(({ size }) => size === 0),
    variables: variables.map(({ dimensions: own, isInRecords, type }) => ({
      dimensions: own,
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
  const { equal, lengths, parts, countBytes, offsetBytes, dimensions } = form
  const fileEnd = at + size
  const sizes: number[] = []
  const texts: number[] = []
  const begins: number[] = []
  let from = 0
  let to = at
  let records = 0
  for (let index = 0; index <= parts.length; index++) {
    const length = index < parts.length ? (lengths[index] ?? 0) : equal.length - from
    if (to + length > fileEnd) return null
    if (equal.compare(memory, to, to + length, from, from + length) !== 0) return null
    from += length
    to += length
    if (index === parts.length) break
    const part = parts[index]
    const bytes = part === Part.begin ? offsetBytes : countBytes
    if (to + bytes > fileEnd) return null
    const value = numberAt(memory, to, bytes)
    if (value < 0) return null
    to += bytes
    if (part === Part.begin) begins.push(value)
    else if (part === Part.size) {
      if (value === 0) return null
      sizes.push(value)
    } else if (part === Part.text) {
      if (to + value > fileEnd) return null
      texts.push(bytesOfText(memory, to, value))
      to += value + paddingOf(value)
    } else if (part === Part.records) {
      if (value === NO_RECORDS && countBytes === 4) return null
      records = value
    }
  }
  if (form.unlimited >= 0) sizes.splice(form.unlimited, 0, records)
  if (sizes.length !== dimensions) return null
  const recordBytes = recordBytesOf(form, sizes, begins, to - at, size)
  return recordBytes === null ? null : { sizes, texts, begins, recordBytes }
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
function numberAt(bytes: Uint8Array, at: number, length: number): number {
  const high = length === 8 ? wordAt(bytes, at) : 0
  return high >= 2 ** 21 ? -1 : high * 2 ** 32 + wordAt(bytes, at + length - 4)
}

function wordAt(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  return high * 2 ** 16 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
}
