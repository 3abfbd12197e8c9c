import type { DataType } from '../../../plan/types/schema.ts'
import { type Decoded, halfValue } from './cf/decode-numbers.ts'

/** The decoded number of a cell. Null: it is null. */
export type Cells = (index: number) => number | bigint | null

export function cellsOf({ values, isThere }: Decoded, type: DataType): Cells {
  const isHalf = type.kind === 'float' && type.bits === 16
  return (index) => {
    if (isThere !== null && isThere[index] === 0) return null
    const value = values[index] ?? 0
    return isHalf ? halfValue(Number(value)) : value
  }
}
