import type { ElementType } from '../arrays/array-file.ts'
import { fault } from '../fault.ts'

/** A type in which a classic file stores elements and values of attributes, big-endian. */
export interface ExternalType {
  readonly element: Extract<ElementType, { kind: 'int' | 'float' | 'char' }>
  /** Of one element. */
  readonly bytes: number
}

/** By the numbers that files have for them, from 1 on: byte, char, short, int, float, double; then those that only CDF-5 has. */
const TYPES: readonly ExternalType[] = [
  { element: { kind: 'int', bits: 8, signed: true }, bytes: 1 },
  { element: { kind: 'char' }, bytes: 1 },
  { element: { kind: 'int', bits: 16, signed: true }, bytes: 2 },
  { element: { kind: 'int', bits: 32, signed: true }, bytes: 4 },
  { element: { kind: 'float', bits: 32 }, bytes: 4 },
  { element: { kind: 'float', bits: 64 }, bytes: 8 },
  { element: { kind: 'int', bits: 8, signed: false }, bytes: 1 },
  { element: { kind: 'int', bits: 16, signed: false }, bytes: 2 },
  { element: { kind: 'int', bits: 32, signed: false }, bytes: 4 },
  { element: { kind: 'int', bits: 64, signed: true }, bytes: 8 },
  { element: { kind: 'int', bits: 64, signed: false }, bytes: 8 },
]

/** The number of types that CDF-1 and CDF-2 have. */
const CLASSIC_TYPES = 6

/** The type of a number in a file of version 1, 2 or 5. Throws `unreadable_file` if that version has no such type. */
export function externalType(number: number, version: number): ExternalType {
  const type = TYPES[number - 1]
  if (type === undefined || (version !== 5 && number > CLASSIC_TYPES))
    throw fault(`type ${number}, which CDF-${version} does not have`)
  return type
}
