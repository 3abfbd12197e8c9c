import { ServiceError } from '../../../plan/errors.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { scalarOf, valueBytes } from '../constants.ts'
import type { BoxDecoding, BoxElement, BoxSpec, NumberName } from './box-column.ts'

/** The codes of decodings (`abi/boxes.rs`, `Reader::decoding`). */
const DECODINGS = Object.freeze({ stored: 0, scaled: 1, instants: 2, joined: 3, named: 4 })

/** The most elements along an axis or of a text: as many as a column may have rows (`array.rs`, `MAX_ROWS`). */
const MOST_ELEMENTS = 2 ** 31 - 2

/** Instead of an axis: the dimension lies along none. */
const NO_AXIS = 2 ** 32 - 1

/** The spec as `box_new` reads it (`abi/boxes.rs`, `Reader::spec`). Throws `memory_limit` for lengths that no column can have. */
export function specBytes({ shape, axes, element, decoding, fills }: BoxSpec): Uint8Array {
  const longest = Math.max(0, ...shape, decoding.kind === 'joined' ? decoding.length : 0)
  if (longest > MOST_ELEMENTS)
    throw new ServiceError('memory_limit', `a box of ${longest} elements along one of its dimensions`)
  const stored = fills.flatMap((fill) => fillBytes(element, fill) ?? [])
  const head = [elementCode(element), DECODINGS[decoding.kind], shape.length, axes.length, stored.length]
  const words = Uint32Array.from([...head, ...shape, ...axes.map((axis) => axis ?? NO_AXIS)])
  const lengths = stored.flatMap((fill) => [Uint32Array.of(fill.length), fill])
  return Buffer.concat([words, decodingWords(decoding), ...lengths].map(bytesOf))
}

/** The number of bytes of an element. 0: they are of any length. */
export function elementWidth(element: BoxElement): number {
  switch (element.kind) {
    case 'char':
    case 'bool':
      return 1
    case 'text':
    case 'bytes':
      return 0
    default:
      return element.bits / 8
  }
}

/** The number of bytes of a row: those of an element, or of all characters of a text. */
export function storedWidth({ element, decoding }: Pick<BoxSpec, 'element' | 'decoding'>): number {
  return elementWidth(element) * (decoding.kind === 'joined' ? decoding.length : 1)
}

function elementCode(element: BoxElement): number {
  switch (element.kind) {
    case 'int':
      return Math.log2(element.bits / 8) + (element.signed ? 0 : 4)
    case 'float':
      return 8 + Math.log2(element.bits / 16)
    case 'char':
      return 11
    case 'text':
      return 12
    case 'bytes':
      return 13
    case 'bool':
      return 14
  }
}

function decodingWords(decoding: BoxDecoding): ArrayBufferView {
  switch (decoding.kind) {
    case 'stored':
      return new Uint32Array(0)
    case 'scaled': {
      const flags = Uint32Array.of((decoding.bits === 32 ? 1 : 0) | (decoding.isNanNull ? 2 : 0))
      // Adding −0 changes no value, and adding 0 would change −0.
      return Buffer.concat([Float64Array.of(decoding.scale ?? 1, decoding.offset ?? -0), flags].map(bytesOf))
    }
    case 'instants': {
      const { unit, epoch, calendar, floats } = decoding
      const flags = BigInt(calendar === 'noleap' ? 1 : 0) | (floats === 'microseconds' ? 1n << 32n : 0n)
      return BigInt64Array.of(unit, BigInt.asIntN(64, epoch), epoch >> 64n, flags)
    }
    case 'joined':
      return Uint32Array.of(decoding.length)
    case 'named':
      return Buffer.concat(
        [Uint32Array.of(decoding.names.length), ...decoding.names.flatMap(nameParts)].map(bytesOf),
      )
  }
}

function nameParts({ value, name }: NumberName): readonly ArrayBufferView[] {
  const bytes = Buffer.from(name)
  return [BigInt64Array.of(BigInt.asIntN(64, value)), Uint32Array.of(bytes.length), bytes]
}

/** The bytes of a fill as elements are stored, or of one of any length. Null: no element has this value. */
function fillBytes(element: BoxElement, fill: Scalar): Uint8Array | null {
  const isOfBytes = element.kind === 'char' || element.kind === 'text' || element.kind === 'bytes'
  if (fill.kind === 'bytes') return isOfBytes ? fill.value : null
  if (fill.kind === 'bool') return element.kind === 'bool' ? Uint8Array.of(Number(fill.value)) : null
  if (element.kind === 'int' && fill.kind === 'int') {
    const { bits, signed } = element
    const held = signed ? BigInt.asIntN(bits, fill.value) : BigInt.asUintN(bits, fill.value)
    return held === fill.value ? valueBytes(element, fill, bits / 8) : null
  }
  if (element.kind !== 'float' || fill.kind !== 'float') return null
  const bytes = valueBytes(element, fill, element.bits / 8)
  return Object.is(scalarOf(element, bytes).value, fill.value) ? bytes : null
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}
