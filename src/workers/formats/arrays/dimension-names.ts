import type { ArrayFile } from './array-file.ts'

/** The names of all dimensions of a file, in the order in which they first occur. */
export function dimensionNames({ arrays, otherDimensions = [] }: ArrayFile): ReadonlySet<string> {
  const ofArrays = arrays.flatMap((array) => array.dimensions)
  return new Set([...ofArrays, ...otherDimensions].map(({ name }) => name))
}
