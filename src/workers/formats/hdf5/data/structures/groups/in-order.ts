import { byUtf8 } from '../../../../arrays/utf8-order.ts'

/** What an object has several of, by names. */
export interface Ordered {
  readonly name: string
  /** Its number in the order of creation. Absent: this is not known. */
  readonly order?: number
}

/** Sorts as the HDF5 library does: in the order of creation if the file has it, and else by the bytes of their names. */
export function inOrder<T extends Ordered>(all: readonly T[]): readonly T[] {
  const areNumbered = all.every(({ order }) => order !== undefined)
  return all.toSorted((a, b) => (areNumbered ? (a.order ?? 0) - (b.order ?? 0) : byUtf8(a.name, b.name)))
}
