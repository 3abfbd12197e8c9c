import type { Nc4Type } from './nc4-type.ts'

/** A column that becomes an attribute of a NetCDF file if all of its rows have one value. */
export interface AttributePlan {
  /** The index of the column. */
  readonly column: number
  /** The index of the variable that has it. Null: the file. */
  readonly variable: number | null
  readonly name: string
  /** The type of its value. That of text is `string`. */
  readonly type: Exclude<Nc4Type, 'char'>
  /** What the metadata of the variable's column say, for a file without rows. Null: nothing. */
  readonly otherwise: string | null
}

/** Several numbers, which are one attribute. */
export interface PlannedNumbers {
  readonly type: Exclude<Nc4Type, 'char' | 'string'>
  readonly numbers: readonly (number | bigint)[]
}

/** Attributes by their names. A number by itself is of the type of the variable. */
export type PlannedAttributes = Readonly<Record<string, string | number | PlannedNumbers>>
