import { ServiceError } from '../../../../plan/errors.ts'
import { damaged } from '../../codecs/filter.ts'
import type { ElementData } from '../stored-zarr.ts'

/** Texts one after the other: text `i` is bytes `offsets[i]` to before `offsets[i + 1]`. */
export interface Texts {
  readonly offsets: Int32Array
  readonly bytes: Uint8Array
}

/** The most bytes of the texts of a chunk: offsets of texts have 32 bits with a sign. */
const MAX_TEXT_BYTES = 0x7fff_ffff

/**
 * The texts that `vlen-utf8` and `vlen-bytes` make: their number, and each one behind the number of its bytes, all in 32 bits. Throws
 * `unreadable_file` unless there are `count` of them, and nothing else.
 */
export function variableTexts(stored: Uint8Array, count: number): Texts {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length)
  if (stored.length < 4 || view.getUint32(0, true) !== count)
    throw damaged('vlen', `they do not begin with the number of elements, ${count}`)
  if (stored.length > MAX_TEXT_BYTES) throw tooLong(count)
  const offsets = new Int32Array(count + 1)
  const bytes = new Uint8Array(Math.max(0, stored.length - 4 - 4 * count))
  let at = 4
  let to = 0
  for (let element = 0; element < count; element++) {
    const length = at + 4 <= stored.length ? view.getUint32(at, true) : stored.length
    at += 4
    if (length > stored.length - at || length > bytes.length - to)
      throw damaged('vlen', `element ${element} reaches beyond their end`)
    bytes.set(stored.subarray(at, at + length), to)
    at += length
    to += length
    offsets[element + 1] = to
  }
  if (at !== stored.length) throw damaged('vlen', `${stored.length - at} bytes follow the last element`)
  return { offsets, bytes }
}

type FixedData = Extract<ElementData, { kind: 'fixed' }>

/** Texts of a fixed length, without the zeros at their ends. `bytes` are no text and keep all of theirs. */
export function fixedTexts(stored: Uint8Array, data: FixedData, count: number, isBigEndian: boolean): Texts {
  const { length, encoding } = data
  if (stored.length > MAX_TEXT_BYTES) throw tooLong(count)
  const offsets = new Int32Array(count + 1)
  // A character of four bytes has at most four bytes in UTF-8.
  const bytes = new Uint8Array(count * length)
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length)
  let to = 0
  for (let element = 0, at = 0; element < count; element++, at += length) {
    if (encoding === 'utf32') to = writeUtf8(view, at, at + length, isBigEndian, bytes, to)
    else {
      const end = encoding === 'bytes' ? at + length : endOf(stored, at, at + length)
      bytes.set(stored.subarray(at, end), to)
      to += end - at
    }
    offsets[element + 1] = to
  }
  return { offsets, bytes: bytes.subarray(0, to) }
}

/** Where the bytes end before the zeros. */
function endOf(stored: Uint8Array, from: number, to: number): number {
  let end = to
  while (end > from && stored[end - 1] === 0) end--
  return end
}

/** What stands for a number that is no character. */
const REPLACEMENT = 0xfffd

/** Writes characters of four bytes as UTF-8. Returns where they end. */
function writeUtf8(
  view: DataView,
  from: number,
  to: number,
  isBigEndian: boolean,
  target: Uint8Array,
  begin: number,
): number {
  let end = to
  while (end - 4 >= from && view.getUint32(end - 4) === 0) end -= 4
  let place = begin
  for (let at = from; at + 4 <= end; at += 4) {
    const stored = view.getUint32(at, !isBigEndian)
    const isCharacter = stored <= 0x10_ffff && !(stored >= 0xd800 && stored <= 0xdfff)
    const character = isCharacter ? stored : REPLACEMENT
    if (character < 0x80) target[place++] = character
    else if (character < 0x800) {
      target[place++] = 0xc0 | (character >>> 6)
      target[place++] = 0x80 | (character & 63)
    } else {
      if (character < 0x1_0000) target[place++] = 0xe0 | (character >>> 12)
      else {
        target[place++] = 0xf0 | (character >>> 18)
        target[place++] = 0x80 | ((character >>> 12) & 63)
      }
      target[place++] = 0x80 | ((character >>> 6) & 63)
      target[place++] = 0x80 | (character & 63)
    }
  }
  return place
}

function tooLong(count: number): ServiceError {
  return new ServiceError('memory_limit', `${count} texts of a chunk have more than ${MAX_TEXT_BYTES} bytes`)
}
