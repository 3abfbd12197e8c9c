import type { DataType, TimeUnit } from '../../../plan/types/schema.ts'

const INT = 2
const DATES = 8 | 16 | 32 | 64 | 128
const INT_OR_DATE = 512

/** The bit of a field that is nothing but text. */
export const TEXT_KIND = 256

/** The bits of floats that are NaN, by how they are written. */
const NANS: readonly (readonly [bit: number, spelling: string])[] = [
  [1024, 'NaN'],
  [2048, 'nan'],
  [4096, 'NAN'],
]
const ALL_NANS = 1024 | 2048 | 4096

/** How NaN is written in the fields of a column of numbers. Empty: there is none. */
export function nansOf(kinds: number): readonly string[] {
  return typeOfKinds(kinds, '').kind === 'float'
    ? NANS.flatMap(([bit, spelling]) => ((kinds & bit) === 0 ? [] : [spelling]))
    : []
}

/**
 * The type of a column by what its fields in the sample looked like, as the bits of `CsvColumnSample.kinds`. `dateFormat` is
 * that of the dialect.
 */
export function typeOfKinds(all: number, dateFormat: string): DataType {
  const kinds = all & ~ALL_NANS
  if ((kinds & INT_OR_DATE) === 0) return typeOfPlainKinds(kinds)
  const others = kinds & ~INT_OR_DATE
  const areDates = (others & ~DATES) === 0
  return typeOfPlainKinds(others | (areDates ? kindOfFormat(dateFormat) : INT))
}

/** Dates, or times in seconds if the format has a time of day. */
function kindOfFormat(dateFormat: string): number {
  return /%[HI]/.test(dateFormat) ? 16 : 8
}

function typeOfPlainKinds(kinds: number): DataType {
  if (kinds === 0) return { kind: 'null' }
  if (kinds === 1) return { kind: 'bool' }
  if (kinds === 2) return { kind: 'int', bits: 64, signed: true }
  if (kinds === 4 || kinds === 6) return { kind: 'float', bits: 64 }
  if (kinds === 8) return { kind: 'date', unit: 'day' }
  // A column of dates and times is one of times: a date is its midnight.
  if (kinds < 256 && kinds % 8 === 0) return { kind: 'timestamp', unit: finestUnit(kinds), zone: null }
  return { kind: 'utf8' }
}

const UNITS: readonly (readonly [bit: number, unit: TimeUnit])[] = [
  [128, 'nanosecond'],
  [64, 'microsecond'],
  [32, 'millisecond'],
]

function finestUnit(kinds: number): TimeUnit {
  return UNITS.find(([bit]) => (kinds & bit) !== 0)?.[1] ?? 'second'
}

/** Whether the core can parse text as values of this type. */
export function isReadAs(type: DataType): boolean {
  switch (type.kind) {
    case 'null':
    case 'bool':
    case 'int':
    case 'timestamp':
    case 'utf8':
      return true
    case 'float':
      return type.bits !== 16
    case 'date':
      return type.unit === 'day'
    default:
      return false
  }
}
