import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import type { BoxElement, BoxSlab, BoxSpec } from '../../src/wasm/core/boxes/box-column.ts'
import { scalarOf } from '../../src/wasm/core/constants.ts'
import { unpacked } from './unpacked.ts'

/** A stored array: its elements in C order, one after the other, little-endian. */
export interface Stored {
  readonly extent: readonly number[]
  readonly element: Exclude<BoxElement, { kind: 'text' | 'bytes' }>
  readonly bytes: Uint8Array
}

export function widthOf(element: Stored['element']): number {
  return element.kind === 'char' || element.kind === 'bool' ? 1 : element.bits / 8
}

/** All positions in C order. */
export function positions(extent: readonly number[]): number[][] {
  return extent.reduce<number[][]>(
    (all, length) => all.flatMap((position) => Array.from({ length }, (_, i) => [...position, i])),
    [[]],
  )
}

function numberOf(extent: readonly number[], position: readonly number[]): number {
  return extent.reduce((number, length, i) => number * length + (position[i] ?? 0), 0)
}

/** The bytes of an element. */
export function elementAt(stored: Stored, position: readonly number[]): Uint8Array {
  const width = widthOf(stored.element)
  const at = numberOf(stored.extent, position) * width
  return stored.bytes.subarray(at, at + width)
}

/** How the bytes of slabs are laid out. */
export interface Form {
  readonly isBigEndian: boolean
  readonly isShuffled: boolean
  /** Bytes between elements, and before the first one. */
  readonly gap: number
  readonly offset: number
}

/** A chunk of the array. Elements beyond the array's shape are 0xff. */
export function slabOf(
  stored: Stored,
  origin: readonly number[],
  extent: readonly number[],
  form: Form,
): BoxSlab {
  const width = widthOf(stored.element)
  const stride = width + form.offset + form.gap
  const all = positions(extent)
  const bytes = new Uint8Array(all.length * stride).fill(0xee)
  for (const [number, local] of all.entries()) {
    const position = local.map((index, i) => index + (origin[i] ?? 0))
    const isInside = position.every((index, i) => index < (stored.extent[i] ?? 0))
    const element = isInside ? elementAt(stored, position) : new Uint8Array(width).fill(0xff)
    for (let byte = 0; byte < width; byte++) {
      const place = form.offset + (form.isBigEndian ? width - 1 - byte : byte)
      bytes[form.isShuffled ? place * all.length + number : number * stride + place] = element[byte] ?? 0
    }
  }
  const { isBigEndian, isShuffled, offset } = form
  return { kind: 'elements', origin, extent, bytes, isBigEndian, isShuffled, stride, offset }
}

/** The rows of a box, one by one. */
export function rowsOf(stored: Stored, spec: BoxSpec): (Scalar | null)[] {
  return positions(spec.shape).map((row) => {
    const position = spec.axes.map(
      (axis, i) => (spec.origin[i] ?? 0) + (axis === null ? 0 : (row[axis] ?? 0)),
    )
    if (spec.decoding.kind === 'joined') {
      const bytes = Array.from(
        { length: spec.decoding.length },
        (_, i) => elementAt(stored, [...position, i])[0] ?? 0,
      )
      const text = Buffer.from(bytes)
        .toString('utf8')
        .replace(/[\0\t\n\v\f\r ]+$/, '')
      return unlessFill({ kind: 'bytes', value: new Uint8Array(Buffer.from(text)) }, spec)
    }
    return decodedOf(elementAt(stored, position), spec)
  })
}

function decodedOf(bytes: Uint8Array, spec: BoxSpec): Scalar | null {
  const { element, decoding } = spec
  if (element.kind === 'char')
    return unlessFill(
      {
        kind: 'bytes',
        value: new Uint8Array(Buffer.from(Buffer.from(bytes).toString('latin1').replace('\0', ''))),
      },
      spec,
    )
  const value = unlessFill(numberIn(bytes, element), spec)
  if (value === null || decoding.kind === 'stored' || value.kind === 'bytes' || value.kind === 'bool')
    return value
  if (decoding.kind === 'scaled') {
    const number = unpacked(value.value, decoding)
    return decoding.isNanNull && Number.isNaN(number) ? null : { kind: 'float', value: number }
  }
  if (decoding.kind !== 'instants') return null
  const since =
    value.kind === 'int' ? value.value * decoding.unit : truncated(value.value * Number(decoding.unit))
  const instant = since === null ? null : decoding.epoch + since
  return instant === null || BigInt.asIntN(64, instant) !== instant || instant === -(2n ** 63n)
    ? null
    : { kind: 'int', value: instant }
}

function truncated(value: number): bigint | null {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : null
}

function numberIn(bytes: Uint8Array, element: BoxElement): Scalar {
  if (element.kind === 'float') return scalarOf(element, bytes)
  if (element.kind === 'bool') return { kind: 'bool', value: bytes[0] !== 0 }
  const value = bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
  const isSigned = element.kind === 'int' && element.signed
  return { kind: 'int', value: isSigned ? BigInt.asIntN(bytes.length * 8, value) : value }
}

function unlessFill(value: Scalar, spec: BoxSpec): Scalar | null {
  return spec.fills.some((fill) => isSame(fill, value)) ? null : value
}

function isSame(a: Scalar, b: Scalar): boolean {
  if (a.kind === 'bytes' && b.kind === 'bytes') return Buffer.compare(a.value, b.value) === 0
  if (a.kind === 'float' && b.kind === 'float')
    return a.value === b.value || (Number.isNaN(a.value) && Number.isNaN(b.value))
  return a.kind === b.kind && a.value === b.value
}

/** The type of the column. */
export function typeOf({ element, decoding }: BoxSpec): DataType {
  if (decoding.kind === 'scaled') return { kind: 'float', bits: 64 }
  if (decoding.kind === 'instants') return { kind: 'timestamp', unit: 'nanosecond', zone: null }
  if (element.kind === 'bytes') return { kind: 'binary' }
  return element.kind === 'char' || element.kind === 'text' ? { kind: 'utf8' } : element
}
