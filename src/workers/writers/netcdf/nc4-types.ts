import type { Nc4Type } from '../../../plan/output/nc4-type.ts'
import { TYPE_CLASS } from '../../formats/hdf5/library/module.ts'
import type { ElementType } from './library/writing-module.ts'

export type { Nc4Type }

/** The types of HDF5 in which the netCDF library stores values. Elements in memory are little-endian. */
export const NC4_ELEMENTS: Readonly<Record<Nc4Type, ElementType>> = Object.freeze({
  byte: integer(1, true),
  ubyte: integer(1, false),
  short: integer(2, true),
  ushort: integer(2, false),
  int: integer(4, true),
  uint: integer(4, false),
  int64: integer(8, true),
  uint64: integer(8, false),
  float: float(4),
  double: float(8),
  char: text(1),
  /** In memory the 32-bit address of a text that ends in NUL. */
  string: { type: TYPE_CLASS.string, size: 4, signed: false, vlen: true, cset: 1 },
})

/** Text of so many bytes, as one element. The text is ASCII. */
export function text(bytes: number): ElementType {
  return { type: TYPE_CLASS.string, size: bytes, signed: false, vlen: false, cset: 0 }
}

function integer(size: number, signed: boolean): ElementType {
  return { type: TYPE_CLASS.int, size, signed, vlen: false }
}

function float(size: number): ElementType {
  return { type: TYPE_CLASS.float, size, signed: true, vlen: false }
}
