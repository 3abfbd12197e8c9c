import type { ElementType } from '../../arrays/array-file.ts'
import type { ElementData } from '../stored-zarr.ts'

/** What the elements of an array are. */
export interface ElementForm {
  /** In columns. */
  readonly element: ElementType
  /** In chunks. */
  readonly data: ElementData
  /** The units of CF that the type has by itself, such as `seconds since 1970-01-01`. Null: none. */
  readonly units: string | null
}

const BITS: readonly (8 | 16 | 32 | 64)[] = [8, 16, 32, 64]

/** Integers and floats by NumPy's letter and size. Null: there are none. */
export function numberForm(kind: 'i' | 'u' | 'f', bytes: number): ElementForm | null {
  const bits = BITS.find((each) => each === bytes * 8)
  if (bits === undefined) return null
  if (kind !== 'f') {
    const element = { kind: 'int', bits, signed: kind === 'i' } as const
    return { element, data: element, units: null }
  }
  if (bits === 8) return null
  return { element: { kind: 'float', bits }, data: { kind: 'float', bits }, units: null }
}

/** The units of CF by NumPy's unit of time. Years and months have no fixed length, and others are less than a nanosecond. */
const UNITS: Readonly<Record<string, string>> = Object.freeze({
  W: 'weeks',
  D: 'days',
  h: 'hours',
  m: 'minutes',
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  μs: 'microseconds',
  ns: 'nanoseconds',
})

/** 64-bit counts of a unit since 1970. Null: they are no instants in nanoseconds. */
export function instantForm(unit: string, isSingle: boolean): ElementForm | null {
  const units = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
  if (units === undefined || !isSingle) return null
  const element = { kind: 'int', bits: 64, signed: true } as const
  return { element, data: element, units: `${units} since 1970-01-01` }
}

/** Text of a fixed number of bytes. That of one byte may be a letter of a text, as NetCDF has them. */
export function fixedTextForm(length: number, encoding: 'utf32' | 'ascii'): ElementForm {
  if (encoding === 'ascii' && length === 1)
    return { element: { kind: 'char' }, data: { kind: 'int', bits: 8, signed: false }, units: null }
  return { element: { kind: 'text' }, data: { kind: 'fixed', length, encoding }, units: null }
}

/** Truth values of one byte. */
export const BOOL: ElementForm = { element: { kind: 'bool' }, data: { kind: 'bool' }, units: null }

/** Bytes of any length. */
export const BYTES: ElementForm = {
  element: { kind: 'bytes' },
  data: { kind: 'variable', encoding: 'bytes' },
  units: null,
}

/** Text of any length. */
export const TEXT: ElementForm = {
  element: { kind: 'text' },
  data: { kind: 'variable', encoding: 'utf8' },
  units: null,
}
