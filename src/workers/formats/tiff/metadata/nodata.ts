import type { Attribute } from '../../arrays/array-file.ts'
import type { SampleElement } from './image.ts'

/** The number that means null, by the text of GDAL_NODATA. Null: there is none, or no sample can have it. */
export function nodataOf(text: string | null, element: SampleElement): number | bigint | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  if (element.kind === 'float') return floatOf(trimmed)
  const integer = integerOf(trimmed)
  return integer === null || !isWithin(integer, element) ? null : integer
}

/** As an attribute that says so of an array. */
export function fillAttribute(nodata: number | bigint, element: SampleElement): Attribute {
  return { name: '_FillValue', value: { kind: 'numbers', element, values: [nodata] } }
}

/** The bytes of a sample, little-endian. */
export function sampleBytes(value: number | bigint, element: SampleElement): Uint8Array {
  const view = new DataView(new ArrayBuffer(8))
  if (element.kind === 'int') view.setBigInt64(0, BigInt.asIntN(64, BigInt(value)), true)
  else if (element.bits === 64) view.setFloat64(0, Number(value), true)
  else if (element.bits === 32) view.setFloat32(0, Number(value), true)
  else view.setFloat16(0, Number(value), true)
  return new Uint8Array(view.buffer, 0, element.bits / 8)
}

const INFINITY = /^[+-]?inf(?:inity)?$/i
const NAN = /^[+-]?nan$/i

function floatOf(text: string): number | null {
  if (NAN.test(text)) return Number.NaN
  if (INFINITY.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  const value = Number(text)
  return Number.isNaN(value) ? null : value
}

/** Integers of 64 bits are exact. GDAL may also write them as floats. */
function integerOf(text: string): bigint | null {
  if (/^[+-]?\d{1,20}$/.test(text)) return BigInt(text.replace(/^\+/, ''))
  const value = Number(text)
  return Number.isSafeInteger(value) ? BigInt(value) : null
}

function isWithin(value: bigint, { bits, signed }: Extract<SampleElement, { kind: 'int' }>): boolean {
  return value === (signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value))
}
