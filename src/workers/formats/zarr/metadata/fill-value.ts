import { valueBytes } from '../../../../wasm/core/constants.ts'
import { fault } from '../../fault.ts'
import type { ElementData } from '../stored-zarr.ts'
import { base64Bytes } from './base64.ts'
import type { ElementForm } from './element-form.ts'
import type { Json } from './json.ts'
import { show } from './members.ts'

/** The `fill_value` of an array: one element, little-endian, or the bytes of a text. Null: zeros, or no text. */
export function fillOf(value: Json, { element, data, units }: ElementForm): Uint8Array | null {
  // For zarr-python a time that is not said is none.
  if (value === null) return units === null ? null : integerBytes('NaT', 64, true)
  const fill = element.kind === 'char' ? letterBytes(value) : bytesOf(value, data)
  if (fill === null) throw fault(`"fill_value" must be an element of the array, and is ${show(value)}`)
  return fill.every((byte) => byte === 0) ? null : fill
}

/** Null: the value is no such element. */
function bytesOf(value: Json, data: ElementData): Uint8Array | null {
  switch (data.kind) {
    case 'int':
      return integerBytes(value, data.bits, data.signed)
    case 'float':
      return floatBytes(value, data.bits)
    case 'bool':
      return typeof value === 'boolean' || value === 0 || value === 1 ? Uint8Array.of(Number(value)) : null
    case 'fixed':
    case 'variable':
      // Some writers give 0 where there is no text.
      if (value === 0) return new Uint8Array(0)
      if (typeof value !== 'string') return null
      return data.encoding === 'utf32' || data.encoding === 'utf8' ? Buffer.from(value) : bytesOfText(value)
  }
}

/** Bytes are in base64, but the library of NetCDF writes them as they are. */
function bytesOfText(value: string): Uint8Array {
  return base64Bytes(value) ?? Buffer.from(value, 'latin1')
}

/** One letter. No letter is a zero. */
function letterBytes(value: Json): Uint8Array | null {
  if (value === 0 || value === '') return Uint8Array.of(0)
  const bytes = typeof value === 'string' ? bytesOfText(value) : null
  return bytes?.length === 1 ? bytes : null
}

/** How NumPy stores "not a time". */
const NOT_A_TIME = -(1n << 63n)

function integerBytes(value: Json, bits: 8 | 16 | 32 | 64, signed: boolean): Uint8Array | null {
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
  const whole = isWhole ? BigInt(value) : value === 'NaT' ? NOT_A_TIME : null
  if (whole === null || whole !== (signed ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole)))
    return null
  return valueBytes({ kind: 'int', bits, signed }, { kind: 'int', value: whole }, bits / 8)
}

const NAMED: Readonly<Record<string, number>> = Object.freeze({
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
})

/** Of a number, or a text such as `NaN` or `0x7fc00000`, which has the bits. */
function floatBytes(value: Json, bits: 16 | 32 | 64): Uint8Array | null {
  if (typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value))
    return value.length === 2 + bits / 4
      ? Uint8Array.from(Buffer.from(value.slice(2), 'hex')).reverse()
      : null
  const named = typeof value === 'string' && Object.hasOwn(NAMED, value) ? NAMED[value] : undefined
  const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : named
  if (number === undefined) return null
  return valueBytes({ kind: 'float', bits }, { kind: 'float', value: number }, bits / 8)
}
