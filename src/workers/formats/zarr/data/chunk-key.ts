import type { ZarrArray } from '../stored-zarr.ts'

/** The key of the object at a position in the grid of objects. */
export function chunkKey({ folder, keys }: ZarrArray, position: readonly number[]): string {
  const { encoding, separator } = keys
  const numbers = position.join(separator)
  const inFolder = folder === '' ? '' : `${folder}/`
  if (encoding === 'default') return `${inFolder}c${position.length === 0 ? '' : separator + numbers}`
  return `${inFolder}${position.length === 0 ? '0' : numbers}`
}
